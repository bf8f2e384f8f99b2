begin;
\ir ../../support/fixture.psql
select plan(9);

-- A cycle that opened with a cap of 1 goes on under a plan with a cap of 0.25.
create temporary table m as select pg_temp.reporter() as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
create temporary table waiting as select pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id;
select app.create_plan('{"tier_ratios": [0.1, 0.1, 0.1], "payout_cap": 0.25}', null, now());
select app.settle_order(id, now()) from waiting;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2) as id;
select results_eq($$ select (pg_temp.settlement(id)).ratio, (pg_temp.settlement(id)).rate,
  (pg_temp.settlement(id)).commission from waiting $$,
  $$ values (0.30000, 0.25000, 900.00) $$, 'an order paid under the old plan has the cap in force when it is settled');
select results_eq($$ select (pg_temp.settlement(id)).ratio, (pg_temp.settlement(id)).rate,
  (pg_temp.settlement(id)).commission from o $$,
  $$ values (0.50000, 0.25000, 1800.00) $$, 'the rate is the lower of ratio and cap');
select is(
  (select l.rate from app.user_bill as l, o where l.order_id = o.id and l.type = 'brokerage'), 0.25000,
  'the bill states the rate'
);
select is(
  (app.explain_order(id) -> 'cycle' ->> 'capped_by')::integer, (select max(version) from app.commission_plans),
  'the explanation names the plan with the cap'
)
from o;
select is(app.explain_order(id) ->> 'matches_the_books', 'true', 'the explanation matches what was booked') from o;
select app.create_plan('{"payout_cap": 1}', null, now());
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now()) from o
join app.order_lines as l on l.order_id = o.id;
select is(
  (select sum(l.brokerage_delta) from app.user_bill as l, o where l.order_id = o.id), 900.00,
  'a refund keeps the rate that was stored'
);
select is(
  (pg_temp.settlement(pg_temp.report(pg_temp.sign_up((select a::text from m))))).rate, 0.10000,
  'the next cycle has ratios of its own'
);
select is_empty('select * from app.reconcile_decisions(null) where subject <> ''''', 'all decisions can be repeated');
select throws_ok(
  $$ select app.create_plan('{"payout_cap": 0.05}', null, now()) $$, 'PT422', 'plan_invalid',
  'no plan has a ratio above its own cap'
);

select * from finish();
rollback;
