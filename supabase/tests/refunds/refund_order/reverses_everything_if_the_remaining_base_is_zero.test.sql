begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table o as select (app.create_order(pg_temp.sign_up(m.a::text), jsonb_build_array(
  jsonb_build_object('product_id', g.flagship, 'quantity', 1), jsonb_build_object('product_id', g.gift, 'quantity', 1)),
  now())).id
  from m, goods as g;
select app.pay_order(id, 'test', 'with-gift', now()), app.settle_order(id, now()) from o;
select is((pg_temp.balances((select a from m))).frozen_points, 720.0000 + 2 * 500, 'two units, one of them a gift');
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now()) from o
join app.order_lines as l on l.order_id = o.id where l.paid > 0;
select is(
  (pg_temp.balances((select a from m))).frozen_points, 0.0000,
  'an order of the gift alone has a base of zero and would have paid nothing'
);

select * from finish();
rollback;
