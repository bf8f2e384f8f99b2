begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
-- 1220 points were granted in two rows; most of them have been released since.
select app.release_members('2026-01-01'::date + n, array[(select a from m)], now()) from generate_series(1, 30) as n;
create temporary table released as select (pg_temp.balances(a)).available_points as points from m;
update app.user_balances set frozen_points = frozen_points - 1000, available_points = available_points + 1000
where uid = (select a from m);
select lives_ok('select app.refund_order(id, null, null, now()) from o', 'frozen points do not become negative');
select results_eq(
  'select b.frozen_points, b.available_points from m, lateral pg_temp.balances(m.a) as b', 'values (0.0000, 0.0000)',
  'the rest is taken from available points'
);

select * from finish();
rollback;
