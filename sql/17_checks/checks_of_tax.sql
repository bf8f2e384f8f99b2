-- Checks of reconciliation: the tax of payouts.

create or replace function app.reconcile_tax(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with booked as (
      select t.withdrawal_id as id, min(t.uid) as uid, sum(t.tax) filter (where t.reverses_id is null) as tax,
        sum(t.income) filter (where t.reverses_id is null) as income,
        sum(t.tax) as left_tax, sum(t.income) as left_income,
        min(t.add_time) filter (where t.reverses_id is null) as at
      from app.tax_withholdings as t where t.uid between p_from and p_to group by t.withdrawal_id
    )
    select
      'tax_equals_its_withholding', format('withdrawal %s', w.id),
      concat_ws(
        ' ', b.tax, 'of', b.income, 'of uid', b.uid, 'left', b.left_tax, 'of', b.left_income, 'at', app.utc(b.at)
      ),
      concat_ws(
        ' ', w.tax, 'of', e.income, 'of uid', w.uid, 'left', e.left_tax, 'of', e.left_income, 'at', app.utc(e.at)
      )
    from app.withdrawals as w
    left join booked as b on b.id = w.id
    cross join lateral (
      select case when b.id is not null then w.amount end as income,
        case when b.id is not null then case when app.is_returned(w.state) then 0 else w.tax end end as left_tax,
        case when b.id is not null then case when app.is_returned(w.state) then 0 else w.amount end end as left_income,
        case when b.id is not null then w.paying_at end as at
    ) as e
    where w.uid between p_from and p_to and (w.tax <> 0 or b.id is not null)
      and (
        w.tax, e.income, w.uid, e.left_tax, e.left_income, e.at
      ) is distinct from (b.tax, b.income, b.uid, b.left_tax, b.left_income, b.at)
    union all
    select
      'reversal_equals_its_withholding', format('tax withholding %s', r.id),
      concat_ws(
        ' ', t.withdrawal_id, t.uid, t.method, t.month, -t.income, -t.expenses, -t.basic_deduction, -t.exempt_income,
        -t.other_deductions, -t.relief, -t.tax
      ),
      concat_ws(
        ' ', r.withdrawal_id, r.uid, r.method, r.month, r.income, r.expenses, r.basic_deduction, r.exempt_income,
        r.other_deductions, r.relief, r.tax
      )
    from app.tax_withholdings as r
    left join app.tax_withholdings as t on t.id = r.reverses_id and t.reverses_id is null
    where r.uid between p_from and p_to and r.reverses_id is not null
      and (
        t.withdrawal_id, t.uid, t.method, t.month, -t.income, -t.expenses, -t.basic_deduction, -t.exempt_income,
        -t.other_deductions, -t.relief, -t.tax
      )
        is distinct from (
          r.withdrawal_id, r.uid, r.method, r.month, r.income, r.expenses, r.basic_deduction, r.exempt_income,
          r.other_deductions, r.relief, r.tax
        );
end
$$;

comment on function app.reconcile_tax is
  'Finds withdrawals whose withholding has another tax, member, amount or time, or was not reversed exactly if the '
  'withdrawal was returned, and reversals that differ from what they reverse.';

-- What was withheld before has a smaller id, because each payout locks the balances of its member. Allowances are
-- recorded under the same lock, so a payout saw those up to one of them. The business day of a payout differs by at
-- most one day from that of another time zone.
create or replace function app.withholdings_anew(p_from bigint, p_to bigint)
returns table (
  id bigint, months bigint, expenses numeric, basic_deduction numeric, has_its_allowances boolean, taxable numeric,
  has_its_rate boolean, tax numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with brackets as materialized (
      select x.brackets, x.rate, x.quick_deduction, x.above, x.valid_from,
        lead(x.above) over (partition by x.brackets, x.valid_from order by x.above) as up_to,
        min(x.valid_from) over (
          partition by x.brackets order by x.valid_from groups between 1 following and 1 following
        ) as valid_until
      from app.tax_brackets() as x
    ),
    stated as (
      select t.*, (t.month - make_interval(months => t.months - 1))::date as first,
        app.business_day(t.add_time) as day
      from app.tax_withholdings as t where t.uid between p_from and p_to and t.reverses_id is null
    )
    select t.id, c.months, app.round_down(e.expenses, app.money_decimals()) - b.expenses,
      r.monthly_deduction * t.months - b.basic_deduction,
      exists (
        select from (select 0::bigint as id union all select a.id from app.tax_allowances as a where a.uid = t.uid) as k
        where (b.exempt_income + t.exempt_income, b.other_deductions + t.other_deductions, b.relief + t.relief) = (
          select coalesce(sum(a.exempt_income), 0), coalesce(sum(a.other_deductions), 0), coalesce(sum(a.relief), 0)
          from app.tax_allowances as a
          where a.uid = t.uid and a.month between t.first and t.month and t.method = 'cumulative' and a.id <= k.id
        )
      ),
      greatest(
        b.income + t.income - e.expenses - r.monthly_deduction * t.months - b.exempt_income - t.exempt_income
          - b.other_deductions - t.other_deductions, 0
      ),
      exists (
        select from brackets as x
        where x.brackets = r.brackets and (x.rate, x.quick_deduction) = (t.rate, t.quick_deduction)
          and (x.above = 0 or x.above < t.taxable) and (x.up_to is null or t.taxable <= x.up_to)
          and x.valid_from <= t.day + 1 and (x.valid_until is null or x.valid_until > t.day - 1)
      ),
      app.round_down(t.taxable * t.rate - t.quick_deduction - b.relief - t.relief, app.money_decimals()) - b.tax
    from stated as t
    left join app.tax_rules() as r on r.method = t.method and r.valid_from = t.rules_from
    cross join lateral (
      select coalesce(sum(w.income), 0) as income, coalesce(sum(w.expenses), 0) as expenses,
        coalesce(sum(w.basic_deduction), 0) as basic_deduction, coalesce(sum(w.exempt_income), 0) as exempt_income,
        coalesce(sum(w.other_deductions), 0) as other_deductions, coalesce(sum(w.relief), 0) as relief,
        coalesce(sum(w.tax), 0) as tax
      from app.tax_withholdings as w
      where w.uid = t.uid and w.method = t.method and w.method <> 'per_payment'
        and w.month between t.first and t.month and w.id < t.id
    ) as b
    cross join lateral (
      select case
        when b.income + t.income <= r.flat_until then least(r.flat_expenses, b.income + t.income)
        else (b.income + t.income) * r.expense_share
      end as expenses
    ) as e
    cross join lateral (
      select count(*) + 1 as months
      from (
        select w.month, row_number() over (order by w.month desc) as number
        from app.tax_withholdings as w
        where t.method = 'cumulative' and w.uid = t.uid and w.method = t.method
          and w.month >= date_trunc('year', t.month::timestamp)::date and w.month < t.month and w.id < t.id
        group by w.month having sum(w.income) > 0
      ) as m
      where m.month = (t.month - make_interval(months => m.number::integer))::date
    ) as c;
end
$$;

comment on function app.withholdings_anew is
  'Returns what app.compute_tax should have stored for the withholdings of the members from p_from to p_to, computed '
  'from the withholdings before each, the allowances and the rules: months, growth of expenses and of the basic '
  'deduction, whether allowances and rate are recorded ones, and taxable. tax is that of the stored taxable and rate, '
  'before it is limited to what the payout can bear.';

-- The smallest transfer of WeChat at the time of the payout is not stored, so the tax of a transfer can be less than
-- computed.
create or replace function app.reconcile_withholdings(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with compared as materialized (
      select t.*, a.months as e_months, a.expenses as e_expenses, a.basic_deduction as e_basic_deduction,
        a.has_its_allowances, a.taxable as e_taxable, a.has_its_rate,
        greatest(least(a.tax, w.amount - w.fee - 0.01), 0) as e_tax, w.method as payout
      from app.withholdings_anew(p_from, p_to) as a
      join app.tax_withholdings as t on t.id = a.id
      join app.withdrawals as w on w.id = t.withdrawal_id
    )
    select
      'deductions_follow_from_their_rules', format('tax withholding %s', c.id),
      concat_ws(' ', c.e_months, 'months', c.e_expenses, c.e_basic_deduction, 'and recorded allowances'),
      concat_ws(
        ' ', c.months, 'months', c.expenses, c.basic_deduction, 'and', c.exempt_income, c.other_deductions, c.relief
      )
    from compared as c
    where (c.months, c.expenses, c.basic_deduction, true)
      is distinct from (c.e_months, c.e_expenses, c.e_basic_deduction, c.has_its_allowances)
    union all
    select 'taxable_is_income_less_deductions', format('tax withholding %s', c.id), c.e_taxable::text, c.taxable::text
    from compared as c where c.taxable is distinct from c.e_taxable::numeric(17,3)
    union all
    select
      'tax_is_taxable_times_rate', format('tax withholding %s', c.id),
      concat_ws(' ', c.e_tax, case when not c.has_its_rate then 'by a rate that was in force' end),
      concat_ws(' ', c.tax, 'at', c.rate, 'less', c.quick_deduction)
    from compared as c
    where not c.has_its_rate or c.tax > c.e_tax or (c.tax < c.e_tax and c.payout <> 'wechat')
    union all
    select
      'reversal_takes_back_its_withholding', format('tax withholding %s', r.id),
      concat_ws(
        ' ', t.method, t.rules_from, t.months, -t.income, -t.expenses, -t.basic_deduction, -t.exempt_income,
        -t.other_deductions, -t.relief, t.taxable, t.rate, t.quick_deduction, -t.tax,
        app.utc(w.ended_at)
      ),
      concat_ws(
        ' ', r.method, r.rules_from, r.months, r.income, r.expenses, r.basic_deduction, r.exempt_income,
        r.other_deductions, r.relief, r.taxable, r.rate, r.quick_deduction, r.tax,
        app.utc(r.add_time)
      )
    from app.tax_withholdings as r
    join app.tax_withholdings as t on t.id = r.reverses_id
    join app.withdrawals as w on w.id = r.withdrawal_id
    where r.uid between p_from and p_to and (
      t.method, t.rules_from, t.months, -t.income, -t.expenses, -t.basic_deduction, -t.exempt_income,
      -t.other_deductions, -t.relief, t.taxable, t.rate, t.quick_deduction, -t.tax, w.ended_at
    ) is distinct from (
      r.method, r.rules_from, r.months, r.income, r.expenses, r.basic_deduction, r.exempt_income, r.other_deductions,
      r.relief, r.taxable, r.rate, r.quick_deduction, r.tax, r.add_time
    );
end
$$;

comment on function app.reconcile_withholdings is
  'Finds withholdings whose deductions, taxable amount, rate or tax do not follow from the rules and from what was '
  'withheld before (app.compute_tax), and reversals that are not what they reverse.';
