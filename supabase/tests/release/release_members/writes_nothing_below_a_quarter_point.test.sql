begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.sign_up() as a;
update app.user_balances set frozen_points = 0.2499 where uid = (select a from m);
select is((app.release_members('2026-01-02', array[(select a from m)], now())).users, 0, 'nobody is released');
select is((select count(*) from app.points_release_log as l, m where l.uid = m.a), 0::bigint, 'no row is written');

select * from finish();
rollback;
