-- Check of reconciliation: the tax of payouts.

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
        sum(t.tax) as left_tax, sum(t.income) as left_income, min(t.add_time) as at
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
  'Finds withdrawals whose tax is not that of their withholding, withholdings of another member, amount or time than '
  'their withdrawal, those that were not reversed although the withdrawal was not paid, or were reversed although it '
  'was, and reversals that differ from what they reverse.';
