create or replace function app.simulated_orders(p_from timestamptz, p_to timestamptz, p_plan app.commission_plans, p_limit bigint)
returns setof app.simulated_order
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with settled as (
    select
      o.id, o.uid, o.referrer_uid, s.settled_at as at, s.position, s.order_plan_version, s.plan_in_force, s.level_version, o.paid_at,
      o.below_minimum, o.queue_base, o.queue_units, o.refund_status, o.is_imported
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    where s.settled_at >= p_from and s.settled_at < p_to and (p_plan.version is null or o.paid_at < p_from)
    union all
    select
      o.id, o.uid, o.referrer_uid, t.at, 0, p_plan.version, p_plan.version, coalesce(s.level_version, (select max(v.version) from app.level_versions as v)), o.paid_at,
      app.simulated_below_minimum(o, p_from, p_plan),
      o.queue_base, o.queue_units, o.refund_status, o.is_imported
    from app.orders as o
    left join app.settlements as s on s.order_id = o.id
    cross join lateral (select case p_plan.brokerage_timing when 'on_pay' then o.paid_at else o.received_at end as at) as t
    where p_plan.version is not null and o.paid_at >= p_from and o.paid_at < p_to and o.has_queue_goods and t.at < p_to
  )
  select
    s.id, s.uid, s.referrer_uid, s.at, s.position, s.order_plan_version, s.plan_in_force, s.level_version, s.paid_at,
    coalesce(n.base, s.queue_base), coalesce(n.units, s.queue_units), coalesce(n.refund_status, s.refund_status), s.below_minimum,
    coalesce(e.base, s.queue_base), coalesce(e.units, s.queue_units), s.is_imported
  from settled as s
  -- Most orders have no refund; for them the current values are those of any time.
  left join lateral (
    select a.* from app.order_at(s.id, s.at, s.position, p_plan.version is not null) as a
    where exists (select from app.refunds as r where r.order_id = s.id)
  ) as n on true
  left join lateral (
    select a.* from app.order_at(s.id, p_to, 0, true) as a
    where exists (select from app.refunds as r where r.order_id = s.id)
  ) as e on true
  order by case when p_plan.version is not null then s.at end, s.position, s.id
  limit p_limit
$$;

comment on function app.simulated_orders is
  'Returns at most p_limit orders that a simulation settles, in sequence. Without a draft plan, these are the settlements of '
  'the period, by position. With one, orders paid from the start of the period take the draft and are settled when its timing '
  'says; orders paid before are settled when they were. The sequence is by time then.';
