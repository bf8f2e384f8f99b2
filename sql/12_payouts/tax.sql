-- The tax of payouts: how it is computed, fixed when a withdrawal becomes paying, and reversed when its payment fails.

-- Has no set clause, so that the planner can inline it.
create or replace function app.net_amount(p_withdrawal app.withdrawals)
returns numeric
language sql
immutable
as $$
  select p_withdrawal.amount - p_withdrawal.fee - p_withdrawal.tax
$$;

comment on function app.net_amount is 'Returns what the member receives of a withdrawal: the amount less fee and tax.';

grant execute on function app.net_amount(app.withdrawals) to authenticated, store_admin;

create or replace function app.tax_method(p_at timestamptz)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select nullif(s.tax_method, 'none') from app.settings as s
  where s.tax_from is null or app.local_day(p_at, s.time_zone) >= s.tax_from
$$;

comment on function app.tax_method is
  'Returns the method by which tax is withheld of a withdrawal that becomes paying at p_at; null: none is.';

-- A month counts if something was paid in it that did not fail.
create or replace function app.tax_months_begin(p_uid bigint, p_month date)
returns date
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(min(m.month), p_month)
  from (
    select t.month, row_number() over (order by t.month desc) as number
    from app.tax_withholdings as t
    where t.uid = p_uid and t.method = 'cumulative' and t.month >= date_trunc('year', p_month::timestamp)::date
      and t.month < p_month
    group by t.month having sum(t.income) > 0
  ) as m
  where m.month = (p_month - make_interval(months => m.number::integer))::date
$$;

comment on function app.tax_months_begin is
  'Returns the first of the consecutive months of a year, up to p_month, in each of which the member was paid under '
  'the cumulative method.';

-- What is computed together (the consecutive months, the month, or the one payment) is computed anew from its sums, and
-- what was withheld of it is taken off. So a reversal, a correction or a new table of rates is made up for by the next
-- payout. Each amount is computed exactly and rounded down once.
-- Precondition: a caller that books the result has locked the balances of the member.
create or replace function app.compute_tax(p_uid bigint, p_income numeric, p_most numeric, p_at timestamptz)
returns app.tax_withholdings
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_day constant date := app.business_day(p_at);
  v_tax app.tax_withholdings;
  v_rules record;
  v_first date;
  v_before record;
  v_allowed record;
  v_income numeric;
  v_expenses numeric;
begin
  select r.* into v_rules from app.tax_rules() as r where r.method = app.tax_method(p_at) and r.valid_from <= v_day
  order by r.valid_from desc limit 1;
  if not found then
    return null;
  end if;
  v_tax.uid := p_uid;
  v_tax.method := v_rules.method;
  v_tax.rules_from := v_rules.valid_from;
  v_tax.month := app.month_of(p_at);
  v_first := case v_tax.method when 'cumulative' then app.tax_months_begin(p_uid, v_tax.month) else v_tax.month end;
  v_tax.months := (extract(month from v_tax.month) - extract(month from v_first) + 1)::smallint;
  select
    coalesce(sum(t.income), 0) as income, coalesce(sum(t.expenses), 0) as expenses,
      coalesce(sum(t.basic_deduction), 0) as basic_deduction,
    coalesce(sum(t.exempt_income), 0) as exempt_income, coalesce(sum(t.other_deductions), 0) as other_deductions,
    coalesce(sum(t.relief), 0) as relief,
    coalesce(sum(t.tax), 0) as tax
  into v_before
  from app.tax_withholdings as t
  where t.uid = p_uid and t.method = v_tax.method and t.month between v_first and v_tax.month
    and t.method <> 'per_payment';
  select coalesce(sum(a.exempt_income), 0) as exempt_income, coalesce(sum(a.other_deductions), 0) as other_deductions,
    coalesce(sum(a.relief), 0) as relief
  into v_allowed
  from app.tax_allowances as a
  where a.uid = p_uid and a.month between v_first and v_tax.month and v_tax.method = 'cumulative';
  v_income := v_before.income + p_income;
  v_tax.income := p_income;
  v_expenses := case
    when v_income <= v_rules.flat_until then least(v_rules.flat_expenses, v_income)
    else v_income * v_rules.expense_share
  end;
  v_tax.basic_deduction := v_rules.monthly_deduction * v_tax.months;
  v_tax.taxable := greatest(
    v_income - v_expenses - v_tax.basic_deduction - v_allowed.exempt_income - v_allowed.other_deductions, 0
  );
  select b.rate, b.quick_deduction into v_tax.rate, v_tax.quick_deduction
  from app.tax_brackets() as b
  where b.brackets = v_rules.brackets and (b.above = 0 or b.above < v_tax.taxable)
    and b.valid_from = (
      select max(n.valid_from) from app.tax_brackets() as n where n.brackets = b.brackets and n.valid_from <= v_day
    )
  order by b.above desc limit 1;
  v_tax.tax := app.round_down(
    v_tax.taxable * v_tax.rate - v_tax.quick_deduction - v_allowed.relief, app.money_decimals()
  ) - v_before.tax;
  v_tax.tax := greatest(least(v_tax.tax, p_most), 0);
  v_tax.expenses := app.round_down(v_expenses, app.money_decimals()) - v_before.expenses;
  v_tax.basic_deduction := v_tax.basic_deduction - v_before.basic_deduction;
  v_tax.exempt_income := v_allowed.exempt_income - v_before.exempt_income;
  v_tax.other_deductions := v_allowed.other_deductions - v_before.other_deductions;
  v_tax.relief := v_allowed.relief - v_before.relief;
  return v_tax;
end
$$;

comment on function app.compute_tax is
  'Returns the tax of a payout of p_income at p_at, from 0 to p_most, and how it was computed, as a row that is not '
  'stored. Null if none is withheld. What exceeds p_most is withheld with the next payout that is computed together.';

-- A transfer to WeChat has a smallest amount.
create or replace function app.most_tax(p_method text, p_amount numeric, p_fee numeric)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_amount - p_fee - case p_method when 'wechat' then s.transfer_minimum else 0.01 end from app.settings as s
$$;

comment on function app.most_tax is
  'Returns the most that can be withheld of a withdrawal that leaves something to pay. Below 0: nothing.';

create or replace function app.estimate_tax(p_withdrawal app.withdrawals, p_now timestamptz)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select (
    app.compute_tax(
      p_withdrawal.uid, p_withdrawal.amount, app.most_tax(p_withdrawal.method, p_withdrawal.amount, p_withdrawal.fee),
      p_now
    )
  ).tax
  where p_withdrawal.state in ('requested', 'approved')
$$;

comment on function app.estimate_tax is
  'Returns what would be withheld of a withdrawal if it became paying at p_now; null if its tax is fixed, or none is '
  'withheld.';

-- Precondition: the caller has locked the withdrawal, then the balances of its member, so that two payouts do not start
-- from the same sums, and makes it paying at p_now.
-- Not idempotent: a withdrawal has one withholding, so a second call fails.
create or replace function app.withhold_tax(p_withdrawal app.withdrawals, p_now timestamptz)
returns numeric
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_tax app.tax_withholdings := app.compute_tax(
    p_withdrawal.uid, p_withdrawal.amount, app.most_tax(p_withdrawal.method, p_withdrawal.amount, p_withdrawal.fee),
    p_now
  );
begin
  if v_tax.method is null then
    return 0.00;
  end if;
  insert into app.tax_withholdings (
    withdrawal_id, uid, method, rules_from, month, months, income, expenses, basic_deduction, exempt_income,
    other_deductions, relief, taxable, rate, quick_deduction, tax, add_time
  )
  values (
    p_withdrawal.id, v_tax.uid, v_tax.method, v_tax.rules_from, v_tax.month, v_tax.months, v_tax.income, v_tax.expenses,
    v_tax.basic_deduction, v_tax.exempt_income,
    v_tax.other_deductions, v_tax.relief, v_tax.taxable, v_tax.rate, v_tax.quick_deduction, v_tax.tax, p_now
  );
  return v_tax.tax;
end
$$;

comment on function app.withhold_tax is
  'Fixes the tax of a withdrawal that becomes paying at p_now, and returns it: 0 without a row if none is withheld.';

-- Precondition: the caller has locked the withdrawal, then the balances of its member.
-- Idempotent: what has no withholding, or a reversed one, stays as it is.
create or replace function app.reverse_tax(p_withdrawal_id bigint, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.tax_withholdings (
    withdrawal_id, uid, method, rules_from, month, months, income, expenses, basic_deduction, exempt_income,
    other_deductions, relief, taxable, rate, quick_deduction, tax,
    reverses_id, add_time
  )
  select
    t.withdrawal_id, t.uid, t.method, t.rules_from, t.month, t.months, -t.income, -t.expenses, -t.basic_deduction,
    -t.exempt_income, -t.other_deductions, -t.relief,
    t.taxable, t.rate, t.quick_deduction, -t.tax, t.id, p_now
  from app.tax_withholdings as t
  where t.withdrawal_id = p_withdrawal_id and t.reverses_id is null
    and not exists (select from app.tax_withholdings as r where r.reverses_id = t.id)
  order by t.id
$$;

comment on function app.reverse_tax is
  'Reverses the tax of a withdrawal that was not paid, in the month in which it was withheld.';

-- Locks: the balances of the member, so that no payout is computed meanwhile.
-- Not idempotent: each call adds a row.
create or replace function app.allow_tax(
  p_uid bigint, p_month text, p_exempt_income numeric, p_other_deductions numeric, p_relief numeric, p_reason text,
  p_by uuid, p_now timestamptz
)
returns app.tax_allowances
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_month date := app.month_start(p_month);
  v_allowance app.tax_allowances;
  v_negative text;
begin
  perform app.require_user(p_uid);
  if not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif p_reason is null or not app.is_visible(p_reason) or char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'An allowance needs a reason of 1 to 500 characters.', '/reason');
  elsif num_nonnulls(nullif(p_exempt_income, 0), nullif(p_other_deductions, 0), nullif(p_relief, 0)) = 0
    or greatest(abs(p_exempt_income), abs(p_other_deductions), abs(p_relief)) > 100000000 then
    perform app.fail('invalid_argument', 'An allowance has an amount that is not 0, and none beyond 100000000.00.');
  elsif greatest(
    scale(trim_scale(p_exempt_income)), scale(trim_scale(p_other_deductions)), scale(trim_scale(p_relief))
  ) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount has at most two decimals.');
  end if;
  perform app.lock_balances(array[p_uid]);
  insert into app.tax_allowances (uid, month, exempt_income, other_deductions, relief, reason, created_by, add_time)
  values (
    p_uid, v_month, coalesce(p_exempt_income, 0), coalesce(p_other_deductions, 0), coalesce(p_relief, 0), p_reason,
    p_by, app.effect_time(p_now)
  )
  returning * into v_allowance;
  select case
    when sum(a.exempt_income) < 0 then '/exempt_income'
    when sum(a.other_deductions) < 0 then '/other_deductions'
    when sum(a.relief) < 0 then '/relief'
  end
  into v_negative
  from app.tax_allowances as a where a.uid = p_uid and a.month = v_month;
  if v_negative is not null then
    perform app.fail('invalid_argument', 'The sums of a month cannot be negative.', v_negative);
  end if;
  return v_allowance;
end
$$;

comment on function app.allow_tax is
  'Records exempt income, other deductions and relief of tax of a member in a month (YYYY-MM), and returns the row. It '
  'applies to payouts that become paying from now on. A correction has negative amounts.';

create or replace function app.tax_sums(p_uid bigint, p_from date, p_until date)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'payouts', count(*) filter (where t.reverses_id is null) - count(*) filter (where t.reverses_id is not null),
    'income', coalesce(sum(t.income), 0.00)::text,
    'expenses', coalesce(sum(t.expenses), 0.00)::text, 'basic_deduction', coalesce(sum(t.basic_deduction), 0.00)::text,
    'exempt_income', coalesce(sum(t.exempt_income), 0.00)::text, 'other_deductions',
    coalesce(sum(t.other_deductions), 0.00)::text,
    'relief', coalesce(sum(t.relief), 0.00)::text, 'tax', coalesce(sum(t.tax), 0.00)::text
  )
  from app.tax_withholdings as t where t.uid = p_uid and t.month >= p_from and t.month < p_until
$$;

comment on function app.tax_sums is
  'Returns what was withheld of the payouts to a member in the months from p_from to before p_until, without failed '
  'ones: number of payouts, income, deductions, tax.';

grant execute on function app.tax_sums(bigint, date, date) to authenticated, store_admin;
