begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
-- Paid out and spent elsewhere meanwhile.
update app.user_balances set brokerage_price = 0, frozen_points = 100, available_points = 0
where uid = (select a from m);
select app.refund_order(id, null, null, now()) from o;
select results_eq(
  'select b.brokerage_price, b.frozen_points, b.available_points from m, lateral pg_temp.balances(m.a) as b',
  'values (-720.00, 0.0000, -620.0000)', 'balances become negative'
);
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select is((pg_temp.balances((select a from m))).brokerage_price, 0.00, 'later commission repays the debt');
select results_eq(
  'select l.frozen_delta, l.available_delta from app.user_bill as l, o where l.order_id = o.id and l.type = ''frozen_points_reversal''',
  'values (-100.0000, -620.0000)', 'the bill row has the amounts taken from frozen and from available points'
);

select * from finish();
rollback;
