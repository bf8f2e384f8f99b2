begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select (app.create_order(pg_temp.sign_up(m.a::text), jsonb_build_array(
  jsonb_build_object('product_id', g.flagship, 'quantity', 1), jsonb_build_object('product_id', g.gift, 'quantity', 1)),
  now())).id
  from m, goods as g;
select app.pay_order(id, 'test', 'with-gift', now()), app.settle_order(id, now()) from o;
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now()) from o
join app.order_lines as l on l.order_id = o.id where l.paid > 0;
select is((pg_temp.settlement(id)).place_freed_at, now(), 'what is left has a base of zero, which takes no place')
from o;
select is(
  (pg_temp.settlement(pg_temp.report(pg_temp.sign_up((select a::text from m))))).place, 1::smallint,
  'the next order takes it'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
