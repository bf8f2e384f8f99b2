begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.reporter() as a;
select app.create_plan('{"brokerage_timing": "confirm"}', null, now());
create temporary table o as select pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id;
select is((pg_temp.balances((select a from m))).frozen_points, 0.0000, 'nothing is booked before the receipt');
select app.confirm_receipt(id, now()) from o;
select is((pg_temp.balances((select a from m))).brokerage_price, 720.00, 'the commission is booked');
select is((pg_temp.balances((select a from m))).frozen_points, 720.0000, 'the frozen points are booked (R3)');
select lives_ok('select app.confirm_receipt(id, now()) from o', 'a second receipt is accepted');
select is((pg_temp.balances((select a from m))).brokerage_price, 720.00, 'a second receipt pays nothing');

select * from finish();
rollback;
