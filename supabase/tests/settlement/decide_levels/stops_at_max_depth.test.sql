begin;
\ir ../../support/fixture.psql
select plan(1);

select app.create_plan('{"max_depth": 1}', null, now());
create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 3) as top;
select pg_temp.report(pg_temp.sign_up(pg_temp.sign_up((select top::text from m))::text));
select is((pg_temp.balances((select top from m))).frozen_points, 0.0000, 'nobody beyond is paid');

select * from finish();
rollback;
