begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select app.release_members(current_date, array[(select a from m)], now());
select is((pg_temp.balances((select a from m))).available_points, 0.2880, 'a day has released some');
select app.refund_order(id, null, null, now()) from o;
select is((pg_temp.balances((select a from m))).frozen_points, 0.0000, 'all that is frozen goes');
select is((pg_temp.balances((select a from m))).available_points, 0.0000, 'and the released part is taken from what is available');
select is((pg_temp.balances((select a from m))).total_points_earned, 0.0000, 'nothing was earned in the end');

select * from finish();
rollback;
