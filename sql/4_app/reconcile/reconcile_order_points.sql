create or replace function app.reconcile_order_points(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with lines as (
      select
        l.order_id, sum(l.paid_by_points) as money, sum(l.points) as points,
        sum(app.points_left(l.points, l.quantity, l.refunded_quantity)) as points_left
      from app.order_lines as l
      where l.order_id between p_from and p_to
      group by l.order_id
    ),
    refunded as (
      select r.order_id, sum(r.points) as points
      from app.refunds as r
      where r.order_id between p_from and p_to and r.state = 'refunded'
      group by r.order_id
    )
    select
      'points_of_an_order_equal_its_lines', format('order %s', o.id),
      concat_ws(' ', l.points, 'for', l.money, 'refunded', l.points - l.points_left, 'left', e.points_left),
      concat_ws(' ', o.points_spent, 'for', o.paid_by_points, 'refunded', coalesce(r.points, 0), 'left', o.points_left)
    from app.orders as o
    join lines as l on l.order_id = o.id
    left join refunded as r on r.order_id = o.id
    cross join lateral (select case o.state when 'cancelled' then 0 else l.points_left end as points_left) as e
    where (l.points, l.money, l.points - l.points_left, e.points_left) is distinct from (o.points_spent, o.paid_by_points, coalesce(r.points, 0), o.points_left);
end
$$;

comment on function app.reconcile_order_points is
  'Finds orders whose points differ from those of their lines, or whose refunds did not return the points of the refunded units.';
