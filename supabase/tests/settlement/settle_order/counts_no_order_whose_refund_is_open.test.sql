begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.buy(pg_temp.sign_up((select a::text from m)), 2) as id;
select app.request_refund(id, null, '', now()), app.settle_order(id, now()) from o;
select is(
  (pg_temp.balances((select a from m))).direct_orders, 0, 'an order with an open refund request does not count (R8)'
);
select is((pg_temp.balances((select a from m))).brokerage_price, 1440.00, 'it pays, because nothing is refunded yet');
select app.refuse_refund(id, now()) from o;
select is((pg_temp.balances((select a from m))).direct_orders, 1, 'it counts after the request is refused');

select * from finish();
rollback;
