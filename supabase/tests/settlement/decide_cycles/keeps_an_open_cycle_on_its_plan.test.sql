begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select app.create_plan('{"people_per_cycle": 2, "tier_ratios": [0.1, 0.15]}', null, now());
create temporary table o as select n, pg_temp.report(pg_temp.sign_up((select a::text from m))) as id
  from generate_series(1, 4) as n;
select results_eq($$ select (pg_temp.settlement(id)).cycle_no, (pg_temp.settlement(id)).place::integer,
  (pg_temp.settlement(id)).ratio from o order by n $$,
  $$ values (1, 2, 0.30000), (1, 3, 0.50000), (2, 1, 0.10000), (2, 2, 0.15000) $$,
  'the old plan to the end of the cycle, the new one from the next');
select isnt(
  (pg_temp.settlement(id)).cycle_plan_version, (pg_temp.settlement(id)).order_plan_version, 'both versions are stored'
)
from o where n = 1;
select ok(not (pg_temp.balances((select a from m))).cycle_is_open, 'the last place closes the cycle');

select * from finish();
rollback;
