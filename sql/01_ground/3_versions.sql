-- The version of the schema, which the edge functions compare with the versions that they serve (docs/upgrading.md).

create table app.schema_versions (
  version text primary key,
  applied_at timestamptz not null default now(),
  constraint version_is_three_numbers check (version ~ '^\d{1,4}\.\d{1,4}\.\d{1,4}$')
);
comment on table app.schema_versions is
  'The versions that changed the schema, from 1.0.0 on. The migrations of a version add its row; a new store gets all of them at once.';
comment on column app.schema_versions.applied_at is 'When this store got the version.';

alter table app.schema_versions enable row level security;
create policy admins_read_schema_versions on app.schema_versions for select to store_admin, service_role using (true);
grant select on app.schema_versions to store_admin, service_role;

insert into app.schema_versions (version) values
  ('1.0.0'),
  ('1.1.0')
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

comment on function app.schema_version is 'Returns the version of the schema: the last one that changed it. A store of 0.9.0 does not have this function.';

grant execute on function app.schema_version() to store_api;
