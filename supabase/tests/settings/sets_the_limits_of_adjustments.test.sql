begin;
\ir ../support/fixture.psql
select plan(7);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id, pg_temp.administrator() as other;
create temporary table m as select pg_temp.sign_up() as uid;
create function pg_temp.set(p_args jsonb) returns text language sql as $$ select pg_temp.set_settings(admins.id, p_args)
  from admins $$;

select is(
  left(pg_temp.set(jsonb_build_object(name, value)), 22), 'PT422 invalid_argument', format('%s %s', name, value)
)
from (
  values ('adjustment_limit_money', -1), ('adjustment_limit_money', 0.001), ('adjustment_limit_points', 100000001),
  ('adjustment_limit_points', 0.00001)
) as t (name, value);
select is(
  pg_temp.set('{"adjustment_limit_money": 0, "adjustment_limit_points": 12.5}')::jsonb - array(
    select key from jsonb_object_keys(pg_temp.set('{}')::jsonb) as key where key !~ '^adjustment'
  ),
  '{"adjustment_limit_money": "0.00", "adjustment_limit_points": 12.5}', 'the limits are set'
);
select is(
  (app.create_adjustment(m.uid, 0.01, null, null, 'Test', admins.id, now())).state, 'waiting',
  'above a limit of 0, every amount waits'
)
from m, admins;
select is(
  (app.create_adjustment(m.uid, null, 12.5, null, 'Test', admins.id, now())).state, 'booked',
  'up to the limit, points are booked at once'
)
from m, admins;

select * from finish();
rollback;
