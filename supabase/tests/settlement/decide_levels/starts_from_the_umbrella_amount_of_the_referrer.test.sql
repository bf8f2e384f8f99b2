begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 3) as top;
create temporary table n as select pg_temp.grade(pg_temp.sign_up((select top::text from m)), 2) as referrer;
select pg_temp.report(pg_temp.sign_up((select referrer::text from n)));
select is((pg_temp.balances((select referrer from n))).frozen_points, 800.0000, 'the referrer gets direct points');
select is((pg_temp.balances((select top from m))).frozen_points, 200.0000, 'the next 500 - 300, not 500 - 800');

select * from finish();
rollback;
