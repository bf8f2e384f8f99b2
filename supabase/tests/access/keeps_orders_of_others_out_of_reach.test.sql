begin;
\ir ../support/fixture.psql
select plan(8);

grant store_api to postgres;
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 2) as n;
create temporary table who as select m.n, m.uid, u.auth_id from m join app.users as u on u.uid = m.uid;
create temporary table o as select pg_temp.buy(uid) as id from m where n = 1;
create function pg_temp.ask(p_n integer, p_function text, p_args jsonb) returns text language sql as $$
  select pg_temp.attempt(
    'store_api',
    format(
      'select app.as_caller(%L, %L, %L)', jsonb_build_object('role', 'authenticated', 'sub', w.auth_id), p_function,
      p_args
    )
  )
  from who as w where w.n = p_n
$$;
select is(
  pg_temp.ask(2, c.name, jsonb_build_object(c.parameter, o.id)), 'PT404 order_not_found',
  format('%s: as if it did not exist', c.name)
)
from o,
  (
    values ('get_order', 'p_id'), ('cancel_order', 'p_order_id'), ('confirm_receipt', 'p_order_id'),
    ('request_refund', 'p_order_id')
  ) as c (name, parameter);
select is(
  pg_temp.ask(2, 'send_return', jsonb_build_object('p_order_id', o.id, 'p_carrier', 'SF', 'p_tracking_no', 'R1')),
  'PT404 order_not_found', 'send_return: as if it did not exist'
)
from o;
select is(
  pg_temp.ask(2, 'get_orders', '{}')::jsonb, '{"list": [], "count": 0}'::jsonb,
  'it is not in the list of another member'
);
select is(pg_temp.ask(1, 'get_orders', '{}')::jsonb -> 'count', '1'::jsonb, 'its buyer sees it');
select is(
  pg_temp.ask(1, 'create_order', '{"p_items": [{"product_id": 1, "quantity": 1, "discount": "1.00"}]}'),
  'PT422 invalid_argument', 'a member cannot set a discount'
);

select * from finish();
rollback;
