-- Guarantee money/tax-record: A withdrawal and its record of tax agree, and a payment that fails has no tax
-- By: one transaction, app.move_withdrawal
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
grant store_api to postgres;
select plan(29);

update app.settings set withdrawal_fee_rate = 0.01, withdrawal_maximum = null, withdrawal_methods = '{bank, wechat}';
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 6) as n;
select from m, app.create_adjustment(m.uid, 100000, 0, 0, 'Test', null, now());
create temporary table admin as select pg_temp.administrator() as id;
create function pg_temp.tax(p_id bigint) returns text language sql as $$
  select concat_ws(' ', w.state, w.tax, app.net_amount(w)) from app.withdrawals as w where w.id = p_id
$$;
create function pg_temp.approved(p_n integer, p_amount numeric) returns bigint language sql as $$
  select pg_temp.approve(pg_temp.withdraw(m.uid, p_amount)) from m where m.n = p_n
$$;
create function pg_temp.move(p_id bigint, p_state text) returns text language sql as $$
  select pg_temp.tax(
    (
      app.move_withdrawal(
        app.lock_withdrawal(p_id), p_state, now(), case p_state when 'failed' then 'Account closed' end
      )
    ).id
  )
$$;

-- Off.
create temporary table off as select pg_temp.approved(1, 10000) as id;
select is(pg_temp.move(id, 'paying'), 'paying 0.00 9900.00', 'nothing is withheld as long as it is not switched on')
from off;
select is_empty('select from app.tax_withholdings', 'and nothing is recorded');
select is(pg_temp.move(id, 'paid'), 'paid 0.00 9900.00', 'such a withdrawal is paid as before') from off;
select is(pg_temp.move(pg_temp.approved(1, 100), 'paid'), 'paid 0.00 99.00', 'without having been paying, too');

-- Switched on, from a day on.
select app.set_settings(
  jsonb_build_object('tax_method', 'per_payment', 'tax_from', app.business_day(now()) + 1), now()
);
select is(
  pg_temp.move(pg_temp.approved(1, 10000), 'paying'), 'paying 0.00 9900.00', 'before its first day, nothing is withheld'
);
select app.set_settings(jsonb_build_object('tax_from', app.business_day(now())), now());
create temporary table w as select pg_temp.approved(2, 10000) as id;
select is(pg_temp.tax(id), 'approved 0.00 9900.00', 'the tax is not fixed before the withdrawal is paying') from w;
select is(app.estimate_tax(l, now()), 1600.00, 'but estimated: 10000 x 0.8 x 0.2') from app.withdrawals as l join w
using (id);
select is(
  pg_temp.attempt('none', format('select app.move_withdrawal(app.lock_withdrawal(%s), ''paid'', now())', id)),
  'PT409 withdrawal_state_conflict', 'nothing is paid whose tax is not fixed'
)
from w;
select is(
  pg_temp.call(
    admin.id, 'create_withdrawal_batch', jsonb_build_object('p_method', 'bank', 'p_ids', jsonb_build_array(w.id))
  )::jsonb - 'id' - 'batch_no' - 'created_by' - 'add_time',
  '{"method": "bank", "withdrawals": 1, "amount": "8300.00", "tax": "1600.00", "paying": 1, "paid": 0, "failed": 0}',
  'a batch fixes it, and pays what is left'
) from admin, w;
select is(pg_temp.tax(id), 'paying 1600.00 8300.00', 'the withdrawal has it as a column') from w;
select is(app.estimate_tax(l, now()), null, 'nothing is estimated any more') from app.withdrawals as l join w
using (id);
select results_eq(
  $$ select t.method, t.month, t.months::int, t.income, t.expenses, t.taxable, t.rate, t.quick_deduction, t.tax
  from app.tax_withholdings as t, w where t.withdrawal_id = w.id $$,
  $$ values ('per_payment', app.month_of(now()), 1, 10000.00, 2000.00, 8000.000, 0.20000, 0.00, 1600.00) $$,
  'and a row says how it was computed'
);
select is(
  pg_temp.call(
    admin.id, 'get_withdrawal_batch_rows', jsonb_build_object('p_id', l.batch_id)
  )::jsonb #>> '{lines, 0, amount}',
  '8300.00', 'the file of the batch has what is left'
) from admin, app.withdrawals as l join w using (id);
select app.set_settings('{"tax_method": "cumulative", "tax_from": ""}', now());
select is(pg_temp.move(id, 'paid'), 'paid 1600.00 8300.00', 'a later setting does not change it') from w;
select is(pg_temp.money(m.uid), '90000.00 of 90000.00', 'the bill falls by the gross amount') from m where n = 2;
select is(
  (select count(*)::int from app.user_bill as b, w where b.withdrawal_id = w.id), 1, 'and has no row of the tax'
);

-- A failure reverses it.
create temporary table f as select pg_temp.approved(3, 10000) as id;
select is(pg_temp.move(id, 'paying'), 'paying 90.00 9810.00', 'cumulative: (10000 x 0.8 - 5000) x 0.03') from f;
select is(
  pg_temp.move(id, 'failed'), 'failed 90.00 9810.00', 'a payment that fails keeps the tax that it was computed with'
)
from f;
select is(pg_temp.money(m.uid), '100000.00 of 100000.00', 'its whole amount returns') from m where n = 3;
select results_eq(
  $$ select t.income, t.expenses, t.basic_deduction, t.tax, t.reverses_id is null from app.tax_withholdings as t, f
  where t.withdrawal_id = f.id order by t.id $$,
  $$ values (10000.00, 2000.00, 5000.00, 90.00, true), (-10000.00, -2000.00, -5000.00, -90.00, false) $$,
  'and a row reverses the tax'
);
select is(
  pg_temp.move(pg_temp.approved(3, 10000), 'paying'), 'paying 90.00 9810.00', 'the next payout is computed without it'
);
select is(
  pg_temp.attempt(
    'none',
    format('select app.move_withdrawal(app.lock_withdrawal(%s), ''refused'', now(), ''No'')', pg_temp.approved(4, 100))
    || '::text is null'
  ),
  'false', 'what never was paying has no tax to reverse'
);
select is_empty(
  'select from app.tax_withholdings as t join app.withdrawals as l on l.id = t.withdrawal_id where l.state = ''refused''',
  'and none is recorded for it'
);

-- What is left to pay.
update app.settings set withdrawal_fee_rate = 0.9;
select app.set_settings('{"tax_method": "per_payment"}', now());
select is(
  pg_temp.move(pg_temp.approved(5, 10000), 'paying'), 'paying 999.99 0.01', 'tax and fee leave one cent to pay'
);

-- WeChat is told what is left.
update app.settings set withdrawal_fee_rate = 0.01;
insert into app.wechat_accounts (appid, openid, auth_id) select 'app', 'openid', u.auth_id from app.users as u join m
using (uid) where m.n = 6;
create temporary table x as
select a.id, a.withdrawal_no from m
cross join lateral app.request_withdrawal(m.uid, 1000, 'wechat', null, now(), null) as w
cross join lateral app.approve_withdrawal(w, now()) as a where m.n = 6;
select is(
  app.begin_transfer(withdrawal_no, 'merchant', now()) ->> 'amount_minor', '95000',
  'a transfer is over what is left: 1000 - 10 - (1000 - 800) x 0.2'
)
from x;
select is(
  app.begin_transfer(withdrawal_no, 'merchant', now()) ->> 'amount_minor', '95000',
  'a repeated run withholds nothing more'
)
from x;
select is(
  (
    select r.reason
    from app.record_transfer_notification(
      'wechat', 'event', withdrawal_no, 'openid', p.amount, 'succeeded', null, null, now()
    ) as r
  ),
  p.reason,
  format('WeChat notifies of what was transferred: %s', p.reason)
) from x, (values (1, 990.00, 'amount_differs'), (2, 950.00, 'succeeded')) as p (n, amount, reason) order by p.n;

delete from app.settlement_jobs;
select is_empty('select * from app.reconcile()', 'the books agree');
select * from finish();
rollback;
