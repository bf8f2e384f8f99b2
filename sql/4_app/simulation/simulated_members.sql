create or replace function app.simulated_members(
  p_uids bigint[], p_position bigint, p_from timestamptz, p_plan app.commission_plans,
  out members app.tree_member[], out cycles app.cycle_state[]
)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with levels as (
    select distinct on (c.uid) c.uid, c.from_level, c.from_held
    from app.level_changes as c where c.position >= p_position order by c.uid, c.position, c.id
  ),
  flags as (
    select distinct on (n.uid) n.uid, n.from_value from app.no_assess_changes as n where n.position >= p_position order by n.uid, n.position
  ),
  places as (
    select
      s.earner_uid as uid, s.cycle_no, min(s.cycle_plan_version) as plan_version,
      array_agg(s.place) filter (where s.place_freed_position is null or s.place_freed_position >= p_position) as taken,
      array_agg(s.order_id) filter (where s.place_freed_position is null or s.place_freed_position >= p_position) as orders
    from app.taken_places as s
    where s.position < p_position
    group by s.earner_uid, s.cycle_no
  ),
  last_cycles as (select distinct on (p.uid) p.* from places as p order by p.uid, p.cycle_no desc),
  reported as (
    select o.uid, min(o.paid_at) as since
    from app.orders as o
    where o.paid_at is not null and o.has_queue_goods and not app.simulated_below_minimum(o, p_from, p_plan)
      and (o.queue_units > 0 or (app.order_at(o.id, null, p_position - 1, false)).units > 0)
    group by o.uid
  )
  select
    array_agg((
      u.uid, case when (u.spread_position < p_position or u.spread_time = u.add_time) and u.spread_uid = p_uids[width_bucket(u.spread_uid, p_uids)]
        then width_bucket(u.spread_uid, p_uids) end,
      coalesce(l.from_level, u.agent_level), coalesce(l.from_held, u.is_held), coalesce(f.from_value, u.no_assess),
      coalesce(c.own_orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0), coalesce(c.direct_members, 0),
      coalesce(c.umbrella_members, 0), false
    )::app.tree_member order by u.uid),
    array_agg((
      u.uid, r.since, coalesce(y.cycle_no, 0), y.plan_version,
      coalesce(coalesce(cardinality(y.taken), 0) < (select p.people_per_cycle from app.commission_plans as p where p.version = y.plan_version), false),
      coalesce(y.taken, '{}'), coalesce(y.orders, '{}'), 0
    )::app.cycle_state order by u.uid)
  from app.users as u
  left join levels as l on l.uid = u.uid
  left join flags as f on f.uid = u.uid
  left join app.recount_counters(p_position) as c on c.uid = u.uid
  left join last_cycles as y on y.uid = u.uid
  left join reported as r on r.uid = u.uid
  where u.uid = any (p_uids)
$$;

comment on function app.simulated_members is
  'Returns the members p_uids, which are sorted, as they were before a position: referrer, level, hold, no-assess flag, task '
  'counts, cycle, and since when they have a reported order. Members at the top grade have task counts, too. The draft plan and '
  'the start of its period (p_plan, p_from; null: none) decide which orders reach the minimum base.';
