-- A member above the referrer is eligible at the first sale of the period and no longer at the second.
begin;
\ir ../../support/fixture.psql
select plan(4);

select from app.create_plan(
  '{"people_per_cycle": 3, "tier_ratios": [0.2, 0.3, 0.5], "brokerage_scope": "umbrella", "brokerage_timing": "on_pay", "points_per_brokerage": 1, "max_depth": 3, "payout_cap": 1}',
  null, now()
);

create temporary table upline as select pg_temp.sign_up() as uid;
create temporary table own as select pg_temp.report(u.uid, 1, now() + interval '1 month') as id from upline as u;
create temporary table referrer as select pg_temp.sign_up(u.uid::text) as uid from upline as u;
create temporary table first_sale as select pg_temp.report(
  pg_temp.sign_up(r.uid::text), 1, now() + interval '2 months'
) as id
  from referrer as r;
select app.refund_order(o.id, null, null, now() + interval '3 months') from own as o;
create temporary table second_sale as select pg_temp.report(
  pg_temp.sign_up(r.uid::text), 1, now() + interval '4 months'
) as id
  from referrer as r;
create temporary table replayed as select app.simulate(null, null, now(), now() + interval '5 months') as report;

select is((pg_temp.settlement(s.id)).earner_uid, u.uid, 'the member above the referrer earns at the first sale')
from first_sale as s, upline as u;
select is(
  (pg_temp.settlement(s.id)).reason::text, 'nobody_eligible',
  'nobody earns at the second, after the refund of their only order'
)
from second_sale as s;
select is(r.report #>> '{totals,paid,commission}', '720.00', 'the first sale was paid') from replayed as r;
select is(r.report #>> '{totals,simulated,commission}', '720.00', 'a replay of the period pays the same')
from replayed as r;

select * from finish();
rollback;
