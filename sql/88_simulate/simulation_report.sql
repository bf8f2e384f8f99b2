-- What a replay paid beside what was paid for the same orders: in total, the highest single order, and per member.
-- Money as text, points as numbers. Callers: simulate. Reads only.
create or replace function app.simulation_report(p_schema text, p_orders integer, p_limit integer)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_report jsonb;
begin
  execute format($sql$
    with replayed as (
      select s.order_id, o.queue_base from %1$I.settlements as s join %1$I.orders as o on o.id = s.order_id
    ),
    entries as (
      select 'simulated' as side, l.uid, l.order_id, l.brokerage_delta as money, l.frozen_delta + l.available_delta as points
      from %1$I.user_bill as l
      union all
      select 'paid', l.uid, l.order_id, l.brokerage_delta, l.frozen_delta + l.available_delta
      from app.user_bill as l join replayed as r on r.order_id = l.order_id
    ),
    members as (
      select e.uid, sum(e.money) filter (where e.side = 'simulated') as money, sum(e.points) filter (where e.side = 'simulated') as points,
        sum(e.money) filter (where e.side = 'paid') as paid_money, sum(e.points) filter (where e.side = 'paid') as paid_points
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
      'orders', $1, 'revenue', (select coalesce(sum(r.queue_base), 0.00)::text from replayed as r),
      'totals', coalesce((
        select jsonb_object_agg(t.side, jsonb_build_object(
          'commission', t.money::text, 'points', trim_scale(t.points),
          'payout_share', (select trunc(t.money / nullif(sum(r.queue_base), 0), 4) from replayed as r),
          'highest_order', (select jsonb_build_object('order_id', h.order_id, 'commission', h.money::text) from highest as h where h.side = t.side)
        )) from totals as t
      ), '{}'),
      'members', coalesce((
        select jsonb_agg(jsonb_build_object(
          'uid', m.uid, 'nickname', m.nickname, 'commission', coalesce(m.money, 0.00)::text, 'points', trim_scale(coalesce(m.points, 0)),
          'paid_commission', coalesce(m.paid_money, 0.00)::text, 'paid_points', trim_scale(coalesce(m.paid_points, 0))
        ) order by coalesce(m.money, 0) desc, m.uid)
        from (
          select n.*, u.nickname from members as n join app.users as u on u.uid = n.uid
          order by coalesce(n.money, 0) desc, n.uid limit $2
        ) as m
      ), '[]')
    )
  $sql$, p_schema) into v_report using p_orders, p_limit;
  return v_report;
end
$$;
