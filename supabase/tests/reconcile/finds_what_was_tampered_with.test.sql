-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id,
  pg_temp.buy(pg_temp.sign_up((select a::text from m))) as waiting;
select is(
  (
    select count(*) from app.reconcile() as r
    where r.subject in (select format('uid %s', a) from m union all select format('order %s', waiting) from o)
  ),
  0::bigint, 'before the damage, there are no findings'
);
update app.user_balances set brokerage_price = brokerage_price + 0.01 where uid = (select a from m);
select ok(
  exists (
    select from app.reconcile() as r
    where r.check_name = 'balance_equals_bill' and r.subject = format('uid %s', (select a from m))
  ),
  'a balance of a cent too much is found'
);
update app.user_balances set brokerage_price = brokerage_price - 0.01, umbrella_orders = 7
where uid = (select a from m);
select ok(
  exists (
    select from app.reconcile() as r
    where r.check_name = 'counters_equal_recount' and r.subject = format('uid %s', (select a from m))
  ),
  'a wrong count is found'
);
delete from app.settlement_jobs where order_id = (select waiting from o);
select ok(
  exists (
    select from app.reconcile() as r
    where r.check_name = 'paid_order_has_settlement_or_job' and r.subject = format('order %s', (select waiting from o))
  ),
  'an order without a settlement job is found'
);
update app.settlements set commission = commission + 1 where order_id = (select id from o);
select ok(
  exists (
    select from app.reconcile() as r
    where r.check_name = 'commission_equals_bill' and r.subject = format('order %s', (select id from o))
  ),
  'a commission without a bill row is found'
);

select * from finish();
rollback;
