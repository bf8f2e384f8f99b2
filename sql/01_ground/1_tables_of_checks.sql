-- Tables of checks of the store itself: the manifest of its schema, and what scheduled checks found last.

-- Filled by the migrations, which have it from the catalogue of a database that was built from sql/. The definitions read the same on every
-- supported version of Postgres. A kind of which they do not would need a column for the major version.
create table app.manifest (
  kind text not null,
  name text not null,
  definition text not null,
  primary key (kind, name)
);
comment on table app.manifest is
  'What the migrations created and what enforces the guarantees of the store: tables, columns, indexes, constraints, triggers, rules, policies, '
  'views, functions, roles and privileges, as app.catalogue returns them. app.manifest_differences compares it with the catalogue.';

alter table app.manifest enable row level security;
create policy admins_read_manifest on app.manifest for select to store_admin, service_role using (true);
grant select on app.manifest to store_admin, service_role;

create table app.manifest_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  differences integer not null,
  constraint there_is_only_one_row check (id),
  constraint differences_are_not_negative check (differences >= 0)
);
comment on table app.manifest_checks is
  'When the job check_manifest last compared the catalogue with the manifest, and how many differences it found. At most one row. '
  'The health reads it, because the comparison takes too long for a request that anybody may send.';

alter table app.manifest_checks enable row level security;
create policy admins_read_manifest_checks on app.manifest_checks for select to store_admin, service_role using (true);
grant select on app.manifest_checks to store_admin, service_role;

create table app.settings_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  findings text[] not null,
  constraint there_is_only_one_row check (id)
);
comment on table app.settings_checks is
  'When the job check_settings last ran the configuration check, and what it found. At most one row. What waits for administrators reads it, because '
  'the check takes too long for a request of every minute.';
comment on column app.settings_checks.findings is 'Check and subject of each error and warning.';

alter table app.settings_checks enable row level security;
create policy admins_read_settings_checks on app.settings_checks for select to store_admin, service_role using (true);
grant select on app.settings_checks to store_admin, service_role;
