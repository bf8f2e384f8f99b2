begin;
\ir ../../support/fixture.psql
select plan(8);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table g as select pg_temp.sign_up((select a::text from m)) as buyer;
create temporary table o as select (
  app.create_order(
    g.buyer, (select jsonb_build_array(jsonb_build_object('product_id', gift, 'quantity', 1)) from goods), now()
  )
).id
  from g;
select app.pay_order(id, 'test', 'gift', now()) from o;
select app.settle_order(id, now()) from o;
select is((pg_temp.settlement(id)).reason, 'below_minimum', 'a base of zero is below every minimum') from o;
select is((pg_temp.balances((select a from m))).total_places, 0, 'no place is taken');
select is((pg_temp.balances((select a from m))).frozen_points, 0.0000, 'no points are granted');
select is((pg_temp.balances((select a from m))).direct_orders, 0, 'the order does not count');
select pg_temp.report(pg_temp.sign_up((select buyer::text from g)));
select is(
  (select count(*) from app.settlements as s, g where s.earner_uid = g.buyer), 0::bigint,
  'it is not a reported order of its buyer (R4)'
);

-- A cent for two units: refunding one leaves a unit with a base of zero.
create temporary table p as with added as (
  insert into app.products (title, price, is_queue_goods) values ('Crumb', 0.01, true) returning id
) select *
  from added;
create temporary table q as select (
  app.create_order(
    pg_temp.sign_up(m.a::text), format('[{"product_id": %s, "quantity": 2, "discount": "0.01"}]', p.id)::jsonb, now()
  )
).id
  from m, p;
select app.pay_order(id, 'test', 'crumbs', now()) from q;
select app.refund_order(q.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now()) from q
join app.order_lines as l on l.order_id = q.id;
select app.settle_order(id, now()) from q;
select is((pg_temp.settlement(id)).reason, 'zero_base', 'the base after refunds is not compared with the minimum')
from q;
select is((pg_temp.balances((select a from m))).total_places, 0, 'an order with a base of zero takes no place');
select is((pg_temp.balances((select a from m))).direct_orders, 1, 'it is a reported order nevertheless');

select * from finish();
rollback;
