begin;
\ir ../support/fixture.psql
select plan(6);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
create function pg_temp.set(p_args jsonb) returns text language sql as $$ select pg_temp.set_settings(admins.id, p_args)
  from admins $$;

select is((select settlement_slots from app.settings), 1, 'a new store has one slot');
select is(
  left(pg_temp.set(jsonb_build_object('settlement_slots', value)), 22), 'PT422 invalid_argument',
  format('%s is rejected', value)
)
from (values (-1), (17)) as v (value);
select is(pg_temp.set('{"settlement_slots": 0}')::jsonb -> 'settlement_slots', '0', 'none is allowed');
select is(pg_temp.set('{"settlement_slots": 16}')::jsonb -> 'settlement_slots', '16', 'so are sixteen');
select is(pg_temp.set('{}')::jsonb -> 'settlement_slots', '16', 'without a value, the setting stays');

select * from finish();
rollback;
