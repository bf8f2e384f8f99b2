-- A member leaves between two sales below them, and another one joins above later.
-- Guarantee privacy/left-earns-nothing
begin;
\ir ../../support/fixture.psql
select plan(6);

select from app.create_plan(
  '{"people_per_cycle": 3, "tier_ratios": [0.2, 0.3, 0.5], "brokerage_scope": "umbrella", "brokerage_timing": "on_pay", "points_per_brokerage": 1, "max_depth": 3, "payout_cap": 1}',
  null, now()
);
create temporary table t as select pg_temp.grade(pg_temp.reporter(), 2) as top;
create temporary table m as select pg_temp.grade(pg_temp.reporter((select top from t)), 3) as middle;
create temporary table b as select pg_temp.sign_up((select middle::text from m)) as buyer;
create temporary table first_sale as select pg_temp.report(buyer, 1, now() + interval '2 months') as id from b;
select app.mark_as_left(middle, now() + interval '3 months') from m;
create temporary table second_sale as select pg_temp.report(buyer, 1, now() + interval '4 months') as id from b;
create temporary table replayed as select app.simulate(
  null, null, now() + interval '1 month', now() + interval '5 months'
) as report;

select is((pg_temp.settlement(s.id)).earner_uid, middle, 'the referrer earns at the first sale')
from first_sale as s, m;
select is((pg_temp.settlement(s.id)).earner_uid, top, 'and the one above at the second, once the referrer has left')
from second_sale as s, t;
select is(r.report #> '{totals,simulated}', r.report #> '{totals,paid}', 'a replay of the period pays the same')
from replayed as r;
select is(
  app.simulate(
    null, null, now() + interval '3 months' + interval '1 day', now() + interval '5 months'
  ) #>> '{totals,simulated,commission}',
  (pg_temp.settlement(s.id)).commission::text, 'so does a replay that begins after they left'
) from second_sale as s;
select is(
  app.simulate(
    '{"brokerage_scope": "direct"}', null, now() + interval '1 month', now() + interval '5 months'
  ) #>> '{totals,simulated,commission}',
  (pg_temp.settlement(s.id)).commission::text, 'under a draft with scope direct, only the first sale would have paid'
) from first_sale as s;
select is(
  (
    select count(*)
    from (select id from first_sale union all select id from second_sale) as s,
      app.settlement_differences(pg_temp.settlement(s.id))
  ),
  0::bigint, 'each decided again is what was booked'
);

select * from finish();
rollback;
