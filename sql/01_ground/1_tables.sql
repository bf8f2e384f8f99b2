-- Tables that every module uses: positions, the clock, and which import runs.

create sequence app.positions;
comment on sequence app.positions is
  'The order of all decisions about money, points and levels: settlements, refunds and changes of flags, grades and '
  'referrers take the next value under their locks.';

create table app.clock (
  id boolean primary key default true,
  trusted_at timestamptz not null,
  differs_by interval,
  constraint there_is_only_one_row check (id)
);
comment on table app.clock is 'What is known about the clock of the database (docs/decisions/0066). At most one row.';
comment on column app.clock.trusted_at is
  'The latest time of this clock that a heartbeat of the scheduler, a second clock or the owner of the store has '
  'confirmed.';
comment on column app.clock.differs_by is
  'How far this clock was ahead of the second clock that last disagreed; null since one agreed.';

alter table app.clock enable row level security;
create policy admins_read_clock on app.clock for select to store_admin, service_role using (true);
grant select on app.clock to store_admin, service_role;

create table app.imports (
  id bigint generated always as identity primary key,
  form text not null,
  source_hash text not null,
  products integer not null default 0,
  members integer not null default 0,
  orders integer not null default 0,
  bill_rows integer not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz,
  is_abandoned boolean not null default false,
  finished_position bigint,
  constraint form_is_a_name check (form ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint source_hash_is_sha_256 check (source_hash ~ '^[0-9a-f]{64}$'),
  constraint counts_are_not_negative check (least(products, members, orders, bill_rows) >= 0),
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint only_an_ended_import_is_abandoned check (not is_abandoned or finished_at is not null)
);
comment on table app.imports is
  'Imports of the data of another system, and how many rows each has written. One without finished_at is continued by '
  'the next run of the command. Until it ends, no order is settled.';
comment on column app.imports.source_hash is 'SHA-256 of the source files. Only the same files continue an import.';
comment on column app.imports.is_abandoned is 'The import was ended before all rows were imported.';
comment on column app.imports.finished_position is
  'Position in app.positions at which the import ended and members rose. Null while it is unfinished, and for old '
  'imports.';

create unique index imports_one_is_unfinished on app.imports ((true)) where finished_at is null;

alter table app.imports enable row level security;
create policy admins_read_imports on app.imports for select to store_admin, service_role using (true);
grant select on app.imports to store_admin, service_role;
