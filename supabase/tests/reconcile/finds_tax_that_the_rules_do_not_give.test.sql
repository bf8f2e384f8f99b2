-- Guarantee money/tax-record
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
select plan(15);

select app.set_settings('{"tax_method": "cumulative", "withdrawal_maximum": 100000}', now());
create temporary table m as select pg_temp.reporter() as uid;
select from m, pg_temp.earn(m.uid, 50);
-- Pays the member an amount, and returns the withdrawal.
create function pg_temp.pay(p_amount numeric) returns bigint language plpgsql as $$
declare
  v_id bigint := (select pg_temp.approve(pg_temp.withdraw(m.uid, p_amount)) from m);
begin
  perform app.move_withdrawal(app.lock_withdrawal(v_id), 'paying', now());
  return v_id;
end
$$;
create function pg_temp.ends(p_id bigint, p_state text) returns void language sql as $$
  select from app.move_withdrawal(app.lock_withdrawal(p_id), p_state, now(), case p_state when 'failed' then 'No' end)
$$;
create temporary table w (n integer, id bigint);
insert into w select 1, pg_temp.pay(8000);
select pg_temp.ends(id, 'paid') from w where n = 1;
select from m, app.allow_tax(m.uid, to_char(app.business_day(now()), 'YYYY-MM'), 100, 200, 10, 'Pension', null, now());
insert into w select 2, pg_temp.pay(9000);
select pg_temp.ends(id, 'failed') from w where n = 2;
insert into w select 3, pg_temp.pay(6000);
select from m, app.allow_tax(m.uid, to_char(app.business_day(now()), 'YYYY-MM'), 0, -50, 0, 'Correction', null, now());
delete from app.settlement_jobs;
select is(
  (select string_agg(t.tax::text, ' ' order by t.id) from app.tax_withholdings as t), '42.00 197.00 -197.00 125.00',
  'a payout, one that failed, and one after it'
);
select is_empty('select * from app.reconcile()', 'the books agree');

create function pg_temp.finds(p_change text, p_check text default 'reconcile_withholdings') returns text
language plpgsql as $$
declare
  v_found text;
begin
  set local session_replication_role = replica;
  execute format(p_change, (select id from w where n = 1), (select id from w where n = 3));
  set local session_replication_role = origin;
  execute format(
    'select string_agg(distinct r.check_name, '', '' order by r.check_name) from app.%I() as r', p_check
  ) into v_found;
  raise exception using errcode = 'PT000', message = coalesce(v_found, 'nothing');
exception when sqlstate 'PT000' then
  return sqlerrm;
end
$$;
select matches(pg_temp.finds(d.damage), d.found, d.sentence) from (values
  (
    1, 'update app.tax_withholdings set tax = tax + 0.01 where withdrawal_id = %2$s', '^tax_is_taxable_times_rate$',
    'more tax than computed'
  ),
  (
    2, 'update app.tax_withholdings set tax = tax - 0.01 where withdrawal_id = %2$s', '^tax_is_taxable_times_rate$',
    'less tax than computed'
  ),
  (
    3, 'update app.tax_withholdings set tax = tax - 0.01 where withdrawal_id = %1$s', '^tax_is_taxable_times_rate$',
    'tax that later payouts made up for'
  ),
  (
    4, 'update app.tax_withholdings set rate = 0.10 where withdrawal_id = %2$s', '^tax_is_taxable_times_rate$',
    'a rate that does not apply'
  ),
  (
    5, 'update app.tax_withholdings set quick_deduction = 1 where withdrawal_id = %2$s',
    '^tax_is_taxable_times_rate$', 'another quick deduction'
  ),
  (
    6, 'update app.tax_withholdings set taxable = taxable + 1 where withdrawal_id = %2$s',
    'taxable_is_income_less_deductions', 'another taxable amount'
  ),
  (
    7, 'update app.tax_withholdings set income = income + 1 where withdrawal_id = %1$s',
    'deductions_follow_from_their_rules, taxable_is_income_less_deductions', 'another income in the same year'
  ),
  (
    8, 'update app.tax_withholdings set expenses = expenses + 1 where withdrawal_id = %2$s',
    '^deductions_follow_from_their_rules$', 'other expenses'
  ),
  (
    9, 'update app.tax_withholdings set basic_deduction = basic_deduction + 1 where withdrawal_id = %1$s',
    'deductions_follow_from_their_rules', 'another basic deduction'
  ),
  (
    10, 'update app.tax_withholdings set months = months + 1 where withdrawal_id = %2$s',
    'deductions_follow_from_their_rules', 'another number of months'
  ),
  (
    11, 'update app.tax_allowances set exempt_income = exempt_income + 1 where exempt_income > 0',
    'deductions_follow_from_their_rules', 'an allowance that was changed'
  ),
  (
    12, 'update app.tax_withholdings set income = income + 1 where reverses_id is not null',
    'reversal_takes_back_its_withholding', 'a reversal of another income'
  )
) as d (n, damage, found, sentence) order by d.n;
select is(
  pg_temp.finds(
    'update app.tax_withholdings set add_time = add_time + interval ''1 second''
    where id = (select r.reverses_id from app.tax_withholdings as r where r.reverses_id is not null)', 'reconcile_tax'
  ), 'tax_equals_its_withholding', 'another time of a withholding that was reversed at once'
);
select * from finish();
rollback;
