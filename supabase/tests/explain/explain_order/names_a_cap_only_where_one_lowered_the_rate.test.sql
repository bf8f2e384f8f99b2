begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up()) as unpaid,
  pg_temp.report(pg_temp.sign_up((select a::text from m))) as paid;
create function pg_temp.cap(p_order_id bigint) returns jsonb language sql as $$ select app.explain_order(p_order_id) -> 'cycle' -> 'capped_by' $$;
select is(pg_temp.cap(unpaid), 'null', 'an order that paid nobody was not capped') from o;
select is(pg_temp.cap(paid), 'null', 'an order that paid the ratio of its place was not capped') from o;
select app.create_plan('{"tier_ratios": [0.01, 0.02, 0.04], "payout_cap": 0.04}', null, now());
create temporary table lowered as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select is(
  pg_temp.cap(id), to_jsonb((select max(version) from app.commission_plans)),
  'an order that paid less names the plan with the cap'
)
from lowered;

select * from finish();
rollback;
