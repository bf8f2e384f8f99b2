create or replace function app.simulated_refunds(
  p_orders app.simulated_order[], p_start bigint, p_from timestamptz, p_to timestamptz, p_plan app.commission_plans
)
returns table (at timestamptz, "position" bigint, order_id bigint, uid bigint, step integer, frees boolean, ends boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with steps as (
    select r.order_id, r.created_at as at, r.position, 'refund' as kind from app.refunds as r
    where r.position >= p_start and r.created_at < p_to
    union
    select r.order_id, r.decided_at, r.decided_position, 'refund' from app.refunds as r
    where r.decided_position >= p_start and r.decided_at < p_to
  ),
  points as (
    select s.order_id, s.at, s.position, s.kind from steps as s
    union all
    select o.order_id, o.at, o.position, 'settle' from unnest(p_orders) as o where o.order_id in (select s.order_id from steps as s)
    union all
    select distinct s.order_id, p_from, case when p_plan.version is null then p_start - 1 else 0 end, 'start' from steps as s
  ),
  states as (
    select
      p.*, o.uid, a.base, a.units, a.refund_status, app.simulated_below_minimum(o, p_from, p_plan) as below_minimum,
      bool_or(p.kind = 'settle' or (p.kind = 'start' and exists (
        select from app.settlements as s where s.order_id = o.id and s.position < p_start and s.state in ('settled', 'imported')
      ))) over sequence as is_settled
    from points as p
    join app.orders as o on o.id = p.order_id and o.has_queue_goods
    cross join lateral app.order_at(p.order_id, p.at, p.position, p_plan.version is not null) as a
    window sequence as (
      partition by p.order_id order by case when p_plan.version is not null then p.at end, p.position, p.kind = 'settle'
    )
  ),
  compared as (
    select
      s.*, lag(s.base) over sequence as base_before, lag(s.units) over sequence as units_before,
      (s.is_settled and app.is_counted(s.units, s.refund_status, s.below_minimum))::integer as counted,
      lag((s.is_settled and app.is_counted(s.units, s.refund_status, s.below_minimum))::integer) over sequence as counted_before
    from states as s
    window sequence as (
      partition by s.order_id order by case when p_plan.version is not null then s.at end, s.position, s.kind = 'settle'
    )
  )
  select
    c.at, c.position, c.order_id, c.uid, c.counted - c.counted_before, c.is_settled and c.base = 0 and c.base_before > 0,
    c.units = 0 and c.units_before > 0
  from compared as c
  where c.kind = 'refund'
$$;

comment on function app.simulated_refunds is
  'Returns one row for each step of each refund of the period: how the order starts or stops counting for tasks (step), '
  'whether it loses its base (frees) and whether it stops being a reported order (ends). p_orders are the orders that the '
  'simulation settles; other orders count if they were settled before p_start.';
