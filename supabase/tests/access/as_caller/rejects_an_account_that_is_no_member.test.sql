begin;
\ir ../../support/fixture.psql
select plan(4);

grant store_api to postgres;
select
  is(pg_temp.attempt('store_api',
  format(
    $$ select app.as_caller('{"role": "authenticated", "sub": "00000000-0000-4000-8000-0000000000d2"}', %L, %L) $$,
    c.name, c.args
  )),
  c.result, format('%s: %s', c.name, c.result))
from (values
  ('get_orders', '{}', 'PT401 unauthenticated'), ('bind_spread', '{"p_spread_uid": 10001}', 'PT401 unauthenticated'),
  ('create_order', '{"p_items": []}', 'PT401 unauthenticated'), ('get_bill', '{}', 'PT401 unauthenticated')
) as c (name, args, result);

select * from finish();
rollback;
