begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.reporter() as a;
select app.create_plan('{"brokerage_timing": "confirm"}', null, now());
create temporary table o as select pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id;
select is((pg_temp.balances((select a from m))).frozen_points, 0.0000, 'nothing before the receipt');
select app.confirm_receipt(id, now()) from o;
select is((pg_temp.balances((select a from m))).brokerage_price, 720.00, 'the commission is there');
select is((pg_temp.balances((select a from m))).frozen_points, 720.0000, 'and so are the frozen points (R3)');
select lives_ok('select app.confirm_receipt(id, now()) from o', 'a second receipt is harmless');
select is((pg_temp.balances((select a from m))).brokerage_price, 720.00, 'and pays nothing more');

select * from finish();
rollback;
