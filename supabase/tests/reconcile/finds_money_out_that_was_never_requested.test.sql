-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
\ir ../support/forgery.psql
select plan(15);

create temporary table m as select pg_temp.reporter() as a, pg_temp.reporter() as b;
create temporary table o as select pg_temp.earn(a) as a, pg_temp.earn(b) as b from m;
create temporary table w as select pg_temp.withdraw(a, 100) as a, pg_temp.withdraw(b, 100) as b from m;
select from w, app.move_withdrawal(app.lock_withdrawal(w.b), 'refused', now(), 'Wrong');
create temporary table known as select check_name, subject from app.reconcile();
select is_empty('select * from known', 'reconcile() finds nothing in correct books');

select matches(pg_temp.found(d.damage), d.check_name, format('reconcile() finds %s', d.sentence)) from (values
  (
    'update app.withdrawals set amount = 101 where id = (select a from w)', 'withdrawal_equals_its_bill_rows',
    'a withdrawal of another amount'
  ),
  (
    'update app.withdrawals set uid = (select b from m) where id = (select a from w)',
    'withdrawal_equals_its_bill_rows', 'a withdrawal of another member'
  ),
  (
    'update app.withdrawals set state = ''refused'', reason = ''x'', ended_at = now() where id = (select a from w)',
    'withdrawal_equals_its_bill_rows', 'a refusal that returned nothing'
  ),
  (
    'update app.withdrawals set state = ''paid'', reason = null, approved_at = now() where id = (select b from w)',
    'withdrawal_equals_its_bill_rows', 'a payment of money that was returned'
  ),
  (
    'update app.withdrawals set add_time = add_time - interval ''1 day'' where id = (select a from w)',
    'withdrawal_equals_its_bill_rows', 'a withdrawal at another time'
  ),
  (
    'update app.withdrawals set ended_at = ended_at + interval ''1 day'' where id = (select b from w)',
    'withdrawal_equals_its_bill_rows', 'an amount that returned at another time'
  ),
  (
    'delete from app.user_bill where withdrawal_id = (select a from w)', 'withdrawal_equals_its_bill_rows',
    'a withdrawal that took nothing'
  ),
  ('insert into app.user_bill (uid, type, source, brokerage_delta, brokerage_after, frozen_after, available_after, withdrawal_id, add_time)
    select m.b, ''withdrawal_returned'', ''withdrawal'', 100, 820, 0, 0, w.b, now() from m, w', 'withdrawal_equals_its_bill_rows', 'money that was returned twice'),
  (
    'update app.commission_maturities set amount_left = 719 where order_id = (select a from o)',
    'maturity_equals_its_settlement', 'another amount of commission that matures'
  ),
  (
    'update app.commission_maturities set uid = (select b from m) where order_id = (select a from o)',
    'maturity_equals_its_settlement', 'commission that matures for another member'
  ),
  (
    'update app.commission_maturities set matures_at = matures_at - interval ''1 second'' where order_id = (select a from o)',
    'maturity_equals_its_settlement', 'commission that matures too early'
  ),
  (
    'update app.commission_maturities set matures_at = null where order_id = (select a from o)',
    'maturity_equals_its_settlement', 'commission that never matures'
  ),
  (
    'delete from app.commission_maturities where order_id = (select a from o)', 'maturity_equals_its_settlement',
    'commission without a maturity'
  ),
  (
    'update app.user_balances set total_brokerage = total_brokerage - 50 where uid = (select a from m)',
    'balance_equals_bill', 'a withdrawal that was taken from what was earned'
  )
) as d (damage, check_name, sentence);

select * from finish();
rollback;
