-- Guarantee rules/2-settlement: R2: with `on_pay`, a paid order has a settlement job; with `confirm`, its receipt
-- settles it
-- By: one transaction, app.pay_locked_order
begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.buy(pg_temp.sign_up((select a::text from m))) as paid_on_pay;
select app.create_plan('{"brokerage_timing": "confirm"}', null, now());
select app.confirm_receipt(paid_on_pay, now()) from o;
select is(
  (select count(*) from app.settlements as s, o where s.order_id = o.paid_on_pay), 0::bigint,
  'the receipt does not settle an order paid under on_pay, which is left to its job'
);
create temporary table c as select pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id;
select app.create_plan('{"brokerage_timing": "on_pay"}', null, now());
select app.confirm_receipt(id, now()) from c;
select is((pg_temp.settlement(id)).place, 1::smallint, 'an order paid under confirm is settled by its receipt') from c;
select app.run_settlement_jobs(1000, now() + interval '1 second');
select is((pg_temp.settlement(paid_on_pay)).place, 2::smallint, 'each order is settled exactly once') from o;

select * from finish();
rollback;
