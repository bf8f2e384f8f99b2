begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
select plan(25);

create temporary table m as select pg_temp.reporter() as a;
select from m, pg_temp.earn(m.a, 2);
select is(pg_temp.money(a), '1440.00 of 1440.00', 'a member has commission that can be withdrawn') from m;

create function pg_temp.ask(
  p_amount numeric, p_method text default 'bank', p_account_id bigint default null
) returns text language sql as $$
  select pg_temp.attempt(
    'none',
    format(
      'select w.state from app.request_withdrawal(%s, %L, %L, %s, now()) as w', m.a, p_amount, p_method,
      coalesce(p_account_id, pg_temp.account(m.a))
    )
  )
  from m
$$;
select matches(pg_temp.ask(c.amount, c.method), c.rejection, c.sentence) from (values
  (9.99, 'bank', '^PT422 invalid_argument', 'a withdrawal is at least the minimum'),
  (100.001, 'bank', '^PT422 invalid_argument', 'an amount has at most two decimals'),
  ('NaN', 'bank', '^PT', 'an amount is a number'),
  (null, 'bank', '^PT422 invalid_argument', 'a withdrawal has an amount'),
  (100, 'wechat', '^PT422 invalid_argument', 'a withdrawal uses a method that the store offers'),
  (100, 'alipay', '^PT404 account_not_found', 'the account is one of the method'),
  (1440.01, 'bank', '^PT409 withdrawal_exceeds_balance', 'a withdrawal is at most what is withdrawable')
) as c (amount, method, rejection, sentence);
update app.settings set withdrawal_maximum = 1000, withdrawal_fee_rate = 0.006;
select is(pg_temp.ask(1000.01), 'PT422 invalid_argument', 'a withdrawal is at most the maximum');
create temporary table other as select pg_temp.account(pg_temp.sign_up()) as id;
select is(pg_temp.ask(100, 'bank', id), 'PT404 account_not_found', 'the account is one of the member') from other;
select is_empty('select from app.withdrawals', 'none of these requests makes a withdrawal');

select is(pg_temp.ask(100.99), 'requested', 'a request waits for its review');
select results_eq(
  'select amount, fee, amount - fee from app.withdrawals', 'values (100.99, 0.60, 100.39)',
  'the fee of a withdrawal is rounded down'
);
select is(account_hint, 'ICBC 622****0128', 'a withdrawal shows the bank and the masked number') from app.withdrawals;
select matches(withdrawal_no, '^W[0-9]{22}$', 'a withdrawal has a number') from app.withdrawals;
select is(pg_temp.money(a), '1339.01 of 1339.01', 'the amount has left the balance') from m;
select results_eq(
  $$ select type, source, brokerage_delta, brokerage_after, withdrawal_id from app.user_bill
  where type like 'withdrawal%' $$,
  $$ select 'withdrawal', 'withdrawal', -100.99, 1339.01, id
  from app.withdrawals $$, 'a bill row that names the withdrawal takes the amount'
);
select is((pg_temp.balances(a)).total_brokerage, 1440.00, 'a withdrawal does not change what was earned') from m;
select is(app.commission_since(a, '-infinity'), 1440.00, 'a withdrawal does not change the commission since a time')
from m;
select is(pg_temp.ask(100), 'PT409 withdrawal_open', 'a member has one open withdrawal');

update app.settings set withdrawal_fee_rate = 0.5;
select is(fee, 0.60, 'a request keeps its fee') from app.withdrawals;
update app.settings set withdrawal_methods = '{}';
select is(pg_temp.ask(100), 'PT422 invalid_argument', 'if the store offers no method, nobody can withdraw');
update app.settings set withdrawal_methods = '{bank}', withdrawal_fee_rate = 0, withdrawal_maximum = null;
select from app.withdrawals as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'refused', now(), 'Try again');
select is(pg_temp.ask(1440), 'requested', 'what was returned can be requested again');
select is(pg_temp.money(a), '0.00 of 0.00', 'everything can be withdrawn') from m;
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
