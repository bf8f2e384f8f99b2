begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table a as select pg_temp.sign_up() as uid;
create temporary table b as select pg_temp.sign_up((select uid::text from a)) as uid;
select is(
  (select spread_uid from app.users where uid = (select uid from b)), (select uid from a), 'the referrer is bound'
);
select isnt((select spread_time from app.users where uid = (select uid from b)), null, 'the time is stored');
select is((pg_temp.balances((select uid from b))).frozen_points, 0.0000, 'the member has a row of balances');

select * from finish();
rollback;
