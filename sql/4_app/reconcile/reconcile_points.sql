create or replace function app.reconcile_points(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'));
begin
  return query
    with events as (
      select o.id as order_id, o.uid, o.add_time as at, -o.points_spent as points, o.paid_by_points as money
      from app.orders as o where o.uid between p_from and p_to and o.points_spent > 0
      union all
      select o.id, o.uid, o.cancelled_at, o.points_spent, null
      from app.orders as o where o.uid between p_from and p_to and o.points_spent > 0 and o.state = 'cancelled'
      union all
      select o.id, o.uid, r.decided_at, sum(r.points), null
      from app.refunds as r join app.orders as o on o.id = r.order_id
      where o.uid between p_from and p_to and r.state = 'refunded' and r.points > 0
      group by o.id, r.decided_at
    ),
    stated as (select e.* from events as e where e.at >= v_since),
    booked as (
      select
        l.order_id, l.uid, l.add_time as at, sum(l.available_delta) as points,
        sum(l.basis) as money
      from app.user_bill as l
      where l.uid between p_from and p_to and l.add_time >= v_since and l.source = 'checkout'
      group by l.order_id, l.uid, l.type, l.add_time
    )
    select
      'points_are_booked_as_they_were_used', format('order %s', coalesce(s.order_id, b.order_id)),
      concat_ws(' ', s.points, 'of uid', s.uid, 'for', s.money, app.utc(s.at)), concat_ws(' ', b.points, 'of uid', b.uid, 'for', b.money, app.utc(b.at))
    from stated as s
    full join booked as b on b.order_id = s.order_id and b.uid = s.uid and b.at = s.at and sign(b.points) = sign(s.points)
    where (s.points, s.money) is distinct from (b.points, b.money);

  return query
    with members as (
      select b.* from app.user_balances as b
      where b.uid between p_from and p_to and (
        p_since = '-infinity'
        or b.uid in (select l.uid from app.user_bill as l where l.uid between p_from and p_to and l.add_time >= v_since and l.source in ('checkout', 'adjustment'))
      )
    ),
    spent as (
      select o.uid, sum(o.points_left) as points from app.orders as o where o.uid in (select m.uid from members as m) and o.points_left > 0 group by o.uid
    ),
    adjusted as (
      select a.uid, sum(a.frozen_delta + a.available_delta) as points
      from app.adjustments as a where a.uid between p_from and p_to and a.state = 'booked' group by a.uid
    )
    select
      'points_are_all_accounted_for', format('uid %s', b.uid),
      concat_ws(' ', b.total_points_earned, 'earned', coalesce(a.points, 0), 'adjusted'),
      concat_ws(' ', b.frozen_points, 'frozen', b.available_points, 'available', coalesce(s.points, 0), 'spent')
    from members as b
    left join spent as s on s.uid = b.uid
    left join adjusted as a on a.uid = b.uid
    where b.total_points_earned + coalesce(a.points, 0) <> b.frozen_points + b.available_points + coalesce(s.points, 0);
end
$$;

comment on function app.reconcile_points is
  'Finds points that were not booked exactly once when an order was placed, cancelled or refunded, and members whose earned and adjusted '
  'points are not the sum of their frozen, available and spent points. With p_since, the points booked '
  'since then, and the members who used points or were adjusted since.';
