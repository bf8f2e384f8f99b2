create or replace function app.simulation_report(
  p_orders app.simulated_order[], p_amounts app.simulated_amount[], p_to timestamptz, p_limit integer
)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with entries as materialized (
    select 'simulated' as side, a.uid, a.order_id, coalesce(a.money, 0.00) as money, coalesce(a.points, 0) as points from unnest(p_amounts) as a
    union all
    select 'paid', l.uid, l.order_id, l.brokerage_delta, l.frozen_delta + l.available_delta
    from unnest(p_orders) as o join app.user_bill as l on l.order_id = o.order_id
    where l.add_time < p_to and app.is_earned(l.type)
  ),
  revenue as (select coalesce(sum(o.base_left), 0.00) as total from unnest(p_orders) as o),
  members as (
    select e.uid, coalesce(sum(e.money) filter (where e.side = 'simulated'), 0.00) as money,
      coalesce(sum(e.points) filter (where e.side = 'simulated'), 0) as points,
      coalesce(sum(e.money) filter (where e.side = 'paid'), 0.00) as paid_money, coalesce(sum(e.points) filter (where e.side = 'paid'), 0) as paid_points
    from entries as e group by e.uid
  ),
  totals as (
    select e.side, sum(e.money) as money, sum(e.points) as points from entries as e group by e.side
  ),
  highest as (
    select distinct on (e.side) e.side, e.order_id, sum(e.money) as money
    from entries as e group by e.side, e.order_id order by e.side, sum(e.money) desc, e.order_id
  )
  select jsonb_build_object(
    'orders', cardinality(p_orders), 'revenue', (select r.total::text from revenue as r),
    'totals', coalesce((
      select jsonb_object_agg(t.side, jsonb_build_object(
        'commission', t.money::text, 'points', trim_scale(t.points),
        'payout_share', (select trunc(t.money / nullif(r.total, 0), 4) from revenue as r),
        'highest_order', (select jsonb_build_object('order_id', h.order_id, 'commission', h.money::text) from highest as h where h.side = t.side)
      )) from totals as t
    ), '{}'),
    'members', coalesce((
      select jsonb_agg(jsonb_build_object(
        'uid', m.uid, 'nickname', m.nickname, 'commission', m.money::text, 'points', trim_scale(m.points),
        'paid_commission', m.paid_money::text, 'paid_points', trim_scale(m.paid_points)
      ) order by m.money desc, m.uid)
      from (
        select n.*, u.nickname from members as n join app.users as u on u.uid = n.uid order by n.money desc, n.uid limit p_limit
      ) as m
    ), '[]')
  )
$$;

comment on function app.simulation_report is
  'Returns what a simulation pays beside what was paid for the same orders by the end of the period: in total, for the highest '
  'order, and for the p_limit members with the highest commission. Money is text, points are numbers.';
