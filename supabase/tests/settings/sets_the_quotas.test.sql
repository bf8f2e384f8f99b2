begin;
\ir ../support/fixture.psql
select plan(14);

grant store_api to postgres;
create temporary table admins as select pg_temp.administrator() as id;
create function pg_temp.set(p_args jsonb) returns text language sql as $$ select pg_temp.set_settings(admins.id, p_args)
  from admins $$;
create temporary table quotas as
select name, quota
from (
  values ('orders_per_hour', 60), ('cancellations_per_hour', 60), ('keys_per_hour', 600),
  ('profile_changes_per_hour', 10), ('posters_per_hour', 20)
) as q (name, quota);

select is(
  left(pg_temp.set(jsonb_build_object(name, value)), 22), 'PT422 invalid_argument', format('%s %s', name, value)
)
from quotas, (values (0), (100001)) as v (value);
create function pg_temp.fault() returns text language plpgsql as $$
declare
  v_field text;
begin
  perform app.set_settings('{"orders_per_hour": 0, "keys_per_hour": 0, "posters_per_hour": 5}', now());
exception when sqlstate 'PT422' then
  get stacked diagnostics v_field = column_name;
  return v_field;
end
$$;
select is(pg_temp.fault(), E'/keys_per_hour\n/orders_per_hour', 'all that are wrong are named');
create function pg_temp.quotas(p_settings jsonb) returns jsonb language sql as $$ select jsonb_object_agg(name,
  p_settings -> name)
  from quotas $$;
select is(
  pg_temp.quotas(pg_temp.set('{}')::jsonb), (select jsonb_object_agg(name, quota) from quotas),
  'a new store has generous quotas'
);
select is(
  pg_temp.quotas(pg_temp.set((select jsonb_object_agg(name, quota + 1) from quotas))::jsonb),
  (select jsonb_object_agg(name, quota + 1) from quotas), 'each of them is set'
);
select is(
  pg_temp.quotas(pg_temp.set('{"orders_per_hour": 1}')::jsonb),
  (select jsonb_object_agg(name, quota + 1) || '{"orders_per_hour": 1}' from quotas), 'the others stay as they are'
);

select * from finish();
rollback;
