begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.reporter() as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select app.create_plan('{"points_per_brokerage": 2}', null, now());
create temporary table o as select n, pg_temp.report(pg_temp.sign_up((select a::text from m))) as id
  from generate_series(1, 3) as n;
select results_eq('select (pg_temp.settlement(id)).commission_points from o order by n',
  'values (1080.0000), (1800.0000), (1440.0000)',
  'the old factor to the end of the cycle, the new one from the next');
select app.create_plan('{"points_per_brokerage": 0, "people_per_cycle": 1, "tier_ratios": [0.2]}', null, now());
create temporary table b as select pg_temp.reporter() as uid;
select pg_temp.report(pg_temp.sign_up((select uid::text from b)));
select results_eq(
  'select x.brokerage_price, x.frozen_points from b, lateral pg_temp.balances(b.uid) as x', 'values (720.00, 0.0000)',
  'a factor of 0 turns points off, not the commission'
);

select * from finish();
rollback;
