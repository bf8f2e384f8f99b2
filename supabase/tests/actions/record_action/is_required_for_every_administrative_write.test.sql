-- Guarantee access/administrators-recorded: Every administrative write is recorded
-- By: a write without a record is rolled back, app.call_api
begin;
\ir ../../support/fixture.psql
select plan(7);
grant store_api to postgres;
create temporary table who as select pg_temp.administrator() as id;

create function api.careless(p_title text) returns jsonb language plpgsql security definer set search_path = pg_catalog,
  pg_temp as $$
begin
  update app.settings set site_name = p_title;
  return '{}';
end $$;
grant execute on function api.careless(text) to store_admin;
select matches(
  pg_temp.call(id, 'careless', '{"p_title": "Careless"}'), '^P0001 api.careless changed something',
  'a write that records nothing is an error'
)
from who;
select isnt((select site_name from app.settings), 'Careless', 'the write is rolled back');
-- A record under the name of another function, or of an earlier call, does not count.
create or replace function api.careless(p_title text) returns jsonb language plpgsql security definer set search_path
  = pg_catalog,
  pg_temp as $$
begin
  perform app.record_action('set_settings', 'settings', null, '{}', '{}');
  return '{}';
end $$;
select matches(
  pg_temp.call(id, 'careless', '{"p_title": "Careless"}'), '^P0001 ',
  'an action has the name of the function that does it'
)
from who;
select is(
  pg_temp.set_settings(id, '{"site_name": "Shop"}')::jsonb ->> 'site_name', 'Shop',
  'a write that records what it did is carried out'
)
from who;
create or replace function api.careless(p_title text) returns jsonb language sql stable as $$ select '{}'::jsonb $$;
select is(
  pg_temp.call(id, 'careless', '{"p_title": "Careless"}'), '{}',
  'a function that changes nothing says so, and has nothing to record'
)
from who;

select results_eq($$ select actor, function, target_type, target_id, from_value, to_value, request_id
  from app.admin_actions where function = 'set_settings' $$,
  $$ select id, 'set_settings', 'settings', null::text, '{"site_name": "Store"}'::jsonb, '{"site_name": "Shop"}'::jsonb,
  'request-1'
  from who $$,
  'the record has actor, function, values before and after, and request id');
select is_empty($$
  select p.proname from pg_proc as p
  where p.pronamespace = 'api'::regnamespace and p.provolatile = 'v'
    and p.prosrc !~ ('record_(\w+_)?action\(\s*''' || p.proname || '''')
    and has_function_privilege('store_admin', p.oid, 'execute')
    and not has_function_privilege('authenticated', p.oid, 'execute')
    and not exists (
      select from pg_proc as a
      where a.pronamespace = 'app'::regnamespace and p.prosrc ~ ('app[.]' || a.proname || '\(')
        and a.prosrc ~ ('record_(\w+_)?action\(\s*''' || p.proname || '''')
    )
$$, 'every administrative write records an action under its own name, or calls the function of schema app that does');

select * from finish();
rollback;
