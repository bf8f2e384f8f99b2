begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select app.release_members(current_date, array[(select a from m)], now());
select is((pg_temp.balances((select a from m))).available_points, 0.2880, 'one day has released some points');
select app.refund_order(id, null, null, now()) from o;
select is((pg_temp.balances((select a from m))).frozen_points, 0.0000, 'all frozen points are reversed');
select is(
  (pg_temp.balances((select a from m))).available_points, 0.0000, 'released points are reversed from available points'
);
select is((pg_temp.balances((select a from m))).total_points_earned, 0.0000, 'total points earned are zero');

select * from finish();
rollback;
