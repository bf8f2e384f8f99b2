begin;
\ir ../../support/fixture.psql
select plan(3);

select app.create_plan('{"brokerage_scope": "umbrella"}', null, now());
create temporary table m as select pg_temp.reporter() as top;
create temporary table n as select pg_temp.sign_up((select top::text from m)) as middle;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select middle::text from n))) as id;
select is((pg_temp.settlement(id)).earner_uid, (select top from m), 'the one above an ineligible referrer earns')
from o;
select pg_temp.report((select middle from n));
select is(
  (pg_temp.settlement(pg_temp.report(pg_temp.sign_up((select middle::text from n))))).earner_uid,
  (select middle from n), 'the nearest one, once eligible'
);
select app.create_plan('{"max_depth": 1}', null, now());
create temporary table q as select pg_temp.sign_up(pg_temp.sign_up((select middle::text from n))::text) as buyer;
select is(
  (pg_temp.settlement(pg_temp.report((select buyer from q)))).reason, 'nobody_eligible', 'max_depth ends the climb'
);

select * from finish();
rollback;
