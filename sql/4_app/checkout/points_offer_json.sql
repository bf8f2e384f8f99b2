create or replace function app.points_offer_json(p_uid bigint, p_lines app.order_lines[])
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'available', trim_scale(o.available_points), 'usable', trim_scale(o.points), 'pays', o.money::text,
    'reason', case
      when o.points > 0 then null
      when o.points_max_share = 0 then 'off'
      when o.has_only_queue_goods then 'only_queue_goods'
      when app.money_of_points(greatest(o.available_points, 0), o.points_rate) = 0 then 'no_points'
      else 'price_too_low'
    end
  )
  from (
    select
      b.available_points, s.points_rate, s.points_max_share, sum(l.points) as points, sum(l.paid_by_points) as money,
      bool_and(l.is_queue_goods) as has_only_queue_goods
    from app.user_balances as b
    cross join app.settings as s
    cross join lateral unnest(app.decide_points(p_lines, b.available_points, b.available_points, s.points_rate, s.points_max_share)) as l
    where b.uid = p_uid
    group by b.uid, s.id
  ) as o
$$;

comment on function app.points_offer_json is
  'Returns how many points a member could use at most for priced lines and what they would pay, or the reason why the member can use none: '
  'off (the store accepts no points), only_queue_goods, no_points, or price_too_low.';
