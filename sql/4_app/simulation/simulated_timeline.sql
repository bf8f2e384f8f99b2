create or replace function app.simulated_timeline(
  p_orders app.simulated_order[], p_uids bigint[], p_start bigint, p_from timestamptz, p_to timestamptz, p_plan app.commission_plans
)
returns table (ordinal bigint, level_version integer, fact app.order_facts, event app.tree_event)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with refunds as materialized (select * from app.simulated_refunds(p_orders, p_start, p_from, p_to, p_plan)),
  happenings as (
    select
      o.at, o.position, 1 as rank, o.order_id, o.level_version, f.fact,
      app.settlement_event(f.fact, case when o.plan_version = p_plan.version then p_plan.max_depth else p.max_depth end) as event
    from unnest(p_orders) as o
    cross join lateral (
      select (
        'settle', o.order_id, width_bucket(o.uid, p_uids), o.uid, o.referrer_uid, o.plan_version, o.plan_in_force, o.paid_at, o.base,
        o.units, app.barring_reason(o.units, o.base, o.below_minimum, o.referrer_uid, o.is_imported),
        app.is_counted(o.units, o.refund_status, o.below_minimum)
      )::app.order_facts as fact
    ) as f
    left join app.commission_plans as p on p.version = o.plan_version
    union all
    select r.at, r.position, 1, r.order_id, null,
      case when r.frees then ('free', r.order_id, width_bucket(r.uid, p_uids), null, null, null, null, null, null, null, null, null)::app.order_facts end,
      case when r.step <> 0 then
        ('count', width_bucket(r.uid, p_uids), r.order_id, 0, null, r.step, null, null, null, null, null)::app.tree_event
      end
    from refunds as r where r.step <> 0 or r.frees
    union all
    -- Without a draft plan, eligibility is what the settlement found.
    select o.at, o.position, 0, o.order_id, null,
      ('report', null, width_bucket(a.uid, p_uids), null, null, null, null, a.reported_since, null, null, null, null)::app.order_facts, null
    from unnest(p_orders) as o
    join app.settlements as s on s.order_id = o.order_id
    cross join lateral app.asked_members(s) as a
    where p_plan.version is null
    union all
    -- With a draft plan, it follows from the member's first reported order that is left.
    select r.at, r.position, 1, r.order_id, null,
      ('report', null, width_bucket(r.uid, p_uids), null, null, null, null, (
        select min(o.paid_at) from app.orders as o
        where o.uid = r.uid and o.paid_at is not null and o.has_queue_goods and not app.simulated_below_minimum(o, p_from, p_plan)
          and (app.order_at(o.id, r.at, r.position, true)).units > 0
      ), null, null, null, null)::app.order_facts, null
    from refunds as r
    where r.ends and p_plan.version is not null
    union all
    select n.add_time, n.position, 1, 0, null, null,
      ('assess', width_bucket(n.uid, p_uids), null, 0, null, null, n.to_value, null, null, null, null)::app.tree_event
    from app.no_assess_changes as n
    where n.position >= p_start and n.add_time < p_to
    union all
    select c.add_time, c.position, 1, 0, null, null,
      ('grade', width_bucket(c.uid, p_uids), null, 0, null, null, c.to_held, null, null, null, c.to_level)::app.tree_event
    from app.level_changes as c
    where c.reason <> 'tasks' and c.position >= p_start and c.add_time < p_to
    union all
    select u.spread_time, u.spread_position, 1, 0, null, null,
      ('refer', width_bucket(u.uid, p_uids), null, 0, null, null, null, width_bucket(u.spread_uid, p_uids), null, null, null)::app.tree_event
    from app.users as u
    -- Members who signed up with their referrer had no orders to count before.
    where u.spread_uid is not null and u.spread_time <> u.add_time and u.spread_position >= p_start and u.uid = any (p_uids)
  )
  select
    row_number() over (order by case when p_plan.version is not null then h.at end, h.position, h.rank, h.order_id),
    h.level_version, h.fact, h.event
  from happenings as h
$$;

comment on function app.simulated_timeline is
  'Returns all events of the period of a simulation, in sequence, in the form that the engine takes: facts for the cycles, '
  'events for the tree. p_uids are the members, sorted; level_version is set for settlements.';
