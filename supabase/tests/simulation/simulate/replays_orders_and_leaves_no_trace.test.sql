begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n,
  pg_temp.report(
    pg_temp.sign_up((select a::text from m)), 1, now() + interval '100 years' + n * interval '1 second'
  ) as id
  from generate_series(1, 3) as n;
create temporary table s as select app.simulate(
  '{"people_per_cycle": 2, "tier_ratios": [0.1, 0.2]}', null, now() + interval '99 years', now() + interval '101 years'
) as report;
select is(report ->> 'orders', '3', 'the report has the number of orders in the period') from s;
select is(report -> 'totals' -> 'simulated' ->> 'commission', '1440.00', 'the draft would have paid 360 + 720 + 360')
from s;
select is(report -> 'totals' -> 'paid' ->> 'commission', '3600.00', 'the report has the amount that was paid') from s;
select is((select count(*) from pg_namespace where nspname like 'simulation_%'), 0::bigint, 'no schema is left');
select is((pg_temp.balances((select a from m))).brokerage_price, 3600.00, 'no balance has changed');

select * from finish();
rollback;
