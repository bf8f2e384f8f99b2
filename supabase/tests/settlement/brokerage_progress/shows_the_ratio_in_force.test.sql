begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.reporter() as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select app.create_plan('{"tier_ratios": [0.1, 0.15, 0.2], "payout_cap": 0.25}', null, now());
select is(
  (p -> 'next_ratio')::text || ' ' || (p -> 'tier_ratios')::jsonb::text, '0.25 [0.2, 0.25, 0.25]',
  'the cap in force lowers the ratios of an open cycle'
)
from m, lateral app.brokerage_progress(m.a, now()) as p;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select is((pg_temp.settlement(id)).rate, 0.25, 'as the next settlement does') from o;

select * from finish();
rollback;
