begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select (app.create_order(pg_temp.sign_up(m.a::text), jsonb_build_array(
  jsonb_build_object('product_id', g.flagship, 'quantity', 2), jsonb_build_object('product_id', g.tea, 'quantity', 1)),
  now())).id
  from m, goods as g;
select app.pay_order(id, 'test', 'mixed', now()), app.settle_order(id, now()) from o;
create temporary table l as select l.id, l.is_queue_goods from app.order_lines as l join o on o.id = l.order_id;
create function pg_temp.refund_one_of(p_is_queue_goods boolean) returns text language plpgsql as $$
begin
  perform app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now())
  from o, l where l.is_queue_goods = p_is_queue_goods;
  return (
    select format('status %s, units %s, orders %s', x.refund_status, x.queue_units, b.direct_orders)
    from app.orders as x, o, m, lateral pg_temp.balances(m.a) as b where x.id = o.id
  );
end $$;
select is(
  pg_temp.refund_one_of(true), 'status 3, units 1, orders 1',
  'after one of two units of queue goods, the order is partly refunded and counts (R8)'
);
select is(
  pg_temp.refund_one_of(true), 'status 3, units 0, orders 0',
  'after all queue goods, it is partly refunded and no longer a reported order'
);
select is(
  (select r.amount from app.refunds as r, o where r.order_id = o.id order by r.id desc limit 1), 3600.00,
  'a refund has the price of its units'
);
select is(pg_temp.refund_one_of(false), 'status 2, units 0, orders 0', 'after all units, the order is refunded');
select is((pg_temp.balances((select a from m))).brokerage_price, 0.00, 'the whole commission is reversed');

select * from finish();
rollback;
