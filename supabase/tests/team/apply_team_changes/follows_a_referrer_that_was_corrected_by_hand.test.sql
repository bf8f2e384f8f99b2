begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as wrong_top, pg_temp.sign_up() as right_top;
create temporary table n as select pg_temp.sign_up((select wrong_top::text from m)) as wrong;
create temporary table o as select pg_temp.reporter((select wrong from n)) as moved;
select pg_temp.reporter((select moved from o));
select pg_temp.sum_teams();
select is(
  pg_temp.team((select wrong_top from m)), '1 0 3 2',
  'before the correction, the wrong upline has the member and everyone below'
);
update app.users set spread_uid = (select right_top from m) where uid = (select moved from o);
select pg_temp.sum_teams();
select is(pg_temp.team((select wrong_top from m)), '1 0 1 0', 'the former upline loses the member and everyone below');
select is(pg_temp.team((select wrong from n)), '0 0 0 0', 'the former referrer loses them, too');
select is(pg_temp.team((select right_top from m)), '1 1 2 2', 'the new upline has them');
update app.users set spread_uid = null, spread_time = null where uid = (select moved from o);
select pg_temp.sum_teams();
select is(pg_temp.team((select right_top from m)), '0 0 0 0', 'a member without a referrer counts for no upline');
select is_empty('select * from app.reconcile_team_totals()', 'the totals are the sums of the leaves');

select * from finish();
rollback;
