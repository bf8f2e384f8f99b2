begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 4) as top;
create temporary table n as select pg_temp.grade(pg_temp.sign_up((select top::text from m)), 1) as maker;
create temporary table r as select pg_temp.grade(pg_temp.sign_up((select maker::text from n)), 3) as referrer;
select pg_temp.report(pg_temp.sign_up((select referrer::text from r)));
select is((pg_temp.balances((select maker from n))).frozen_points, 0.0000, 'a lower grade above gets nothing');
select is(
  (pg_temp.balances((select top from m))).frozen_points, 300.0000,
  'the highest amount below is still 500, so grade 4 gets 800 - 500'
);

select * from finish();
rollback;
