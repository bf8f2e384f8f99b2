begin;
\ir ../support/fixture.psql
select plan(10);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
create function pg_temp.set(p_args jsonb) returns text language sql as $$ select pg_temp.set_settings(admins.id, p_args)
  from admins $$;

select is(
  left(pg_temp.set(jsonb_build_object(name, value)), 22), 'PT422 invalid_argument',
  format('%s %s is rejected', name, value)
)
from (values ('points_rate', 0), ('points_rate', -1), ('points_rate', 1.001), ('points_rate', 1000000),
  ('points_max_share', -0.1), ('points_max_share', 1),
  ('points_max_share', 0.123456)) as t (name, value);
select matches(
  pg_temp.set('{"points_rate": 2.5, "points_max_share": 0.99999}'), '"points_rate": 2.5',
  'terms of points within the limits are accepted'
);
select results_eq(
  'select points_rate, points_max_share from app.settings', 'values (2.50, 0.99999)',
  'accepted terms of points are stored'
);
select is(
  (
    select concat_ws(' ', from_value ->> 'points_rate', to_value ->> 'points_rate') from app.admin_actions
    where function = 'set_settings' order by id desc limit 1
  ),
  '1.00 2.50', 'a change of the terms of points is recorded'
);

select * from finish();
rollback;
