-- The version of the schema, which the edge functions compare with the versions that they serve (docs/upgrading.md),
-- and the versions of the rules.

create table app.schema_versions (
  version text primary key,
  applied_at timestamptz not null default now(),
  constraint version_is_three_numbers check (version ~ '^\d{1,4}\.\d{1,4}\.\d{1,4}$')
);
comment on table app.schema_versions is
  'The versions that changed the schema, from 1.0.0 on. A new store gets all of them at once.';
comment on column app.schema_versions.applied_at is 'When this store got the version.';

alter table app.schema_versions enable row level security;
create policy admins_read_schema_versions on app.schema_versions for select to store_admin, service_role using (true);
grant select on app.schema_versions to store_admin, service_role;

insert into app.schema_versions (version) values
  ('1.0.0'),
  ('2.0.0')
on conflict do nothing;

-- Security definer: the edge functions ask before they call anything, as a role that may read no table.
create or replace function app.schema_version()
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select v.version from app.schema_versions as v order by string_to_array(v.version, '.')::integer[] desc limit 1
$$;

comment on function app.schema_version is 'Returns the version of the schema: the last one that changed it.';

grant execute on function app.schema_version() to store_api;

-- Rules that a version changes hold from a position on: whatever replays the past decides each position by the rules of
-- then (docs/decisions/0172).
create table app.rule_versions (
  version smallint primary key,
  position bigint not null,
  in_force_since timestamptz,
  constraint version_is_positive check (version > 0),
  constraint position_is_not_negative check (position >= 0)
);
comment on table app.rule_versions is
  'The versions of the rules of commission, points and levels, and from which position on each holds in this store. 2: '
  'members also rise without a settlement, and open refund requests hold commission.';
comment on column app.rule_versions.position is
  'The first position in app.positions that is decided by these rules: 0 if the store never had others.';
comment on column app.rule_versions.in_force_since is
  'When the store got them. Null if it always had them, or before times were stored.';

alter table app.rule_versions enable row level security;
create policy admins_read_rule_versions on app.rule_versions for select to store_admin, service_role using (true);
grant select on app.rule_versions to store_admin, service_role;

insert into app.rule_versions (version, position) values
  (1, 0),
  (2, 0)
on conflict do nothing;

create or replace function app.rules_at(p_position bigint)
returns smallint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select max(v.version) from app.rule_versions as v where v.position <= p_position
$$;

comment on function app.rules_at is 'Returns the version of the rules by which a position is decided.';
