begin;
\ir ../../support/fixture.psql
select plan(8);

select app.create_plan('{"minimum_base": 5000}', null, now());
create temporary table m as select pg_temp.grade(pg_temp.reporter(null, 2), 1) as a;
create temporary table s as select pg_temp.sign_up((select a::text from m)) as small;
create temporary table o as select pg_temp.report((select small from s)) as id;
select is((pg_temp.settlement(id)).reason, 'below_minimum', 'one unit is below the minimum') from o;
select is(
  (select count(*) from app.user_bill as l, o where l.order_id = o.id), 0::bigint, 'it pays no commission and no points'
);
select is((pg_temp.balances((select a from m))).direct_orders, 0, 'it does not count for tasks');
select pg_temp.report(pg_temp.sign_up((select small::text from s)), 2);
select is(
  (select reason from app.settlements as x, s where x.referrer_uid = s.small), 'referrer_not_eligible',
  'it is not a reported order of its buyer'
);
create temporary table p as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2) as id;
select is((pg_temp.settlement(id)).place, 1::smallint, 'two units are above the minimum') from p;
select app.refund_order(p.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now()) from p
join app.order_lines as l on l.order_id = p.id;
select is(
  (select sum(l.brokerage_delta) from app.user_bill as l, p where l.order_id = p.id), 720.00,
  'the minimum is not applied again after a refund'
);
create temporary table q as select pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id;
select app.create_plan('{"minimum_base": 0.01}', null, now());
select app.settle_order(id, now()) from q;
select is((pg_temp.settlement(id)).reason, 'below_minimum', 'the minimum of the plan in force at payment applies')
from q;
select is_empty(
  'select * from app.reconcile() union all select * from app.reconcile_decisions(null)', 'reconcile() finds nothing'
);

select * from finish();
rollback;
