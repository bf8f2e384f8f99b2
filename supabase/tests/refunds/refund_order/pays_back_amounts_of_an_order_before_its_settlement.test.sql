begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.buy(pg_temp.sign_up((select a::text from m)), 3) as id;
create temporary table l as select l.id from app.order_lines as l join o on o.id = l.order_id;
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'amount', '100.00')), null, now())
from o, l;
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now())
from o, l;
select app.settle_order(id, now()) from o;
select is(
  (select concat_ws(' ', s.base, s.units) from app.settlements as s join o on o.id = s.order_id), '7133.33 2',
  'what is left is settled'
);
select is((pg_temp.balances((select a from m))).brokerage_price, 1426.66, 'and pays: 7133.33 x 0.2');
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'amount', '3.33')), null, now())
from o, l;
select is((pg_temp.balances((select a from m))).brokerage_price, 1426.00, 'a later amount reverses the difference');
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
