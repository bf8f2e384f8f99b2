-- Guarantee access/temporary-objects: Temporary objects shadow nothing
-- By: sql/01_ground/1_schemas.sql
begin;
\ir ../support/fixture.psql
select plan(10);

grant store_api to postgres;
select matches(
  pg_temp.attempt(r.name, 'create temporary table trap (id bigint)'), '^42501 permission denied',
  format('%s creates no temporary table', r.name)
)
from unnest(array['anon', 'authenticated', 'store_admin', 'store_key', 'service_role', 'store_api']) as r (name);
select matches(
  pg_temp.attempt('store_api', 'create domain pg_temp.text as pg_catalog.text'), '^42501 permission denied',
  'a temporary type is rejected'
);

select is(
  (select severity from app.verify_access()), 'ok', 'the configuration check reports no problem without the privilege'
);
do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$;
select is((select severity from app.verify_access()), 'warning', 'the configuration check reports the privilege');
select alike(
  (select message from app.verify_agent_config() where check_id = 'clients_create_nothing_temporary'), '%store_api%',
  'the report names the roles'
);

select * from finish();
rollback;
