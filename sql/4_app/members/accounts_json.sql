create or replace function app.accounts_json(p_balances app.user_balances, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'commission', jsonb_build_object(
      'earned', p_balances.total_brokerage::text, 'adjusted', a.brokerage::text, 'withdrawable', (p_balances.brokerage_price - m.amount)::text,
      'maturing', m.amount::text, 'reserved', w.reserved::text, 'paid', w.paid::text
    ),
    'points', jsonb_build_object(
      'earned', trim_scale(p_balances.total_points_earned), 'adjusted', trim_scale(a.points), 'frozen', trim_scale(p_balances.frozen_points),
      'available', trim_scale(p_balances.available_points), 'spent', trim_scale(o.points)
    )
  )
  from (
    select coalesce(sum(d.brokerage_delta), 0.00) as brokerage, coalesce(sum(d.frozen_delta + d.available_delta), 0) as points
    from app.adjustments as d where d.uid = p_balances.uid and d.state = 'booked'
  ) as a
  cross join (select coalesce(sum(c.amount_left), 0.00) as amount from app.maturing(p_balances.uid, p_now) as c) as m
  cross join (
    select coalesce(sum(l.amount) filter (where l.ended_at is null), 0.00) as reserved, coalesce(sum(l.amount) filter (where l.state = 'paid'), 0.00) as paid
    from app.withdrawals as l where l.uid = p_balances.uid
  ) as w
  cross join (select coalesce(sum(s.points_left), 0) as points from app.orders as s where s.uid = p_balances.uid and s.points_left > 0) as o
$$;

comment on function app.accounts_json is
  'Returns what a member was given and where it is now, the terms of two equations: commission earned and adjusted = withdrawable, maturing, '
  'reserved and paid; points earned and adjusted = frozen, available and spent. Earned is with the opening balance and less reversals.';

grant execute on function app.accounts_json(app.user_balances, timestamptz) to store_admin;
