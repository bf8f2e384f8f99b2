begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 4) as id;
create temporary table l as select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) as one
  from app.order_lines as l, o where l.order_id = o.id;
select app.refund_order(id, one, 'r1', now()) from o, l;
select app.refund_order(id, one, 'r1', now()) from o, l;
select is(
  (pg_temp.balances((select a from m))).brokerage_price, 2160.00,
  'three quarters of 2880.00 are left, although the refund was repeated'
);
select is((pg_temp.balances((select a from m))).frozen_points, 2160.0000 + 1500, 'points are reduced in the same way');
select is(
  (select refund_status from app.orders as x, o where x.id = o.id), 3::smallint, 'the order is partly refunded'
);
select throws_ok(
  'select app.refund_order(id, ''[{"line_id": 1, "quantity": 9}]'', ''r1'', now()) from o', 'PT409',
  'refund_reference_used', 'a reference repeated with other units is rejected'
);
select app.refund_order(id, null, 'r2', now()) from o;
select results_eq($$ select b.brokerage_price, b.frozen_points, b.direct_orders, b.total_places from m,
  lateral pg_temp.balances(m.a) as b $$,
  $$ values (0.00, 0.0000, 0, 0) $$, 'refunding the rest removes the remaining grants, the count and the place');
select throws_ok(
  'select app.refund_order(id, null, ''r3'', now()) from o', 'PT422', 'refund_exceeds_order',
  'nothing is left to refund'
);

select * from finish();
rollback;
