create or replace function app.liabilities_json(p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with maturing as materialized (
    select m.uid, app.business_day(m.matures_at) as day, sum(m.amount_left) as amount
    from app.commission_maturities as m
    where m.amount_left > 0 and (m.matures_at is null or m.matures_at > p_now)
    group by 1, 2
  ), members as (
    select b.brokerage_price - coalesce(m.amount, 0) as withdrawable, b.frozen_points, b.available_points
    from app.user_balances as b
    left join (select g.uid, sum(g.amount) as amount from maturing as g group by g.uid) as m on m.uid = b.uid
  ), totals as (
    select
      coalesce(sum(t.withdrawable) filter (where t.withdrawable > 0), 0.00) as withdrawable,
      coalesce(-sum(t.withdrawable) filter (where t.withdrawable < 0), 0.00) as debts, count(*) filter (where t.withdrawable < 0) as debtors,
      coalesce(sum(t.frozen_points), 0) as frozen, coalesce(sum(t.available_points), 0) as available,
      coalesce((select sum(g.amount) from maturing as g), 0.00) as maturing,
      coalesce((select sum(g.amount) from maturing as g where g.day is null), 0.00) as after_receipt,
      coalesce((select sum(w.amount) from app.withdrawals as w where w.ended_at is null), 0.00) as reserved
    from members as t
  )
  select jsonb_build_object(
    'as_of', app.utc(p_now), 'owed', (t.withdrawable + t.maturing + t.reserved)::text, 'withdrawable', t.withdrawable::text,
    'maturing', t.maturing::text, 'maturing_after_receipt', t.after_receipt::text, 'reserved', t.reserved::text,
    'debts', t.debts::text, 'members_in_debt', t.debtors,
    'matures', (
      select coalesce(jsonb_agg(jsonb_build_object('date', d.day, 'amount', d.amount::text) order by d.day), '[]')
      from (select g.day, sum(g.amount) as amount from maturing as g where g.day is not null group by g.day) as d
    ),
    'points', jsonb_build_object('frozen', trim_scale(t.frozen), 'available', trim_scale(t.available), 'release', app.forecast_json(null) - 'uid')
  )
  from totals as t
$$;

comment on function app.liabilities_json is
  'Returns what the store owes its members at p_now: commission that can be withdrawn, that is maturing (in total and by day) and that is '
  'reserved by open withdrawals; what members owe the store; and the points, with the forecast of their release.';
