-- Past orders, refunds and members as changes that a simulation replays.

-- Who signed up with a referrer has the same time for both. So may somebody who got the referrer just afterwards:
-- positions tell them apart (docs/decisions/0167).
create or replace function app.referred_later(p_position bigint)
returns setof bigint
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select u.uid from app.users as u where u.spread_position >= p_position and u.spread_time <> u.add_time
  union
  select u.uid from app.users as u join app.settlements as s on s.uid = u.uid
  where u.spread_position >= p_position and u.spread_time = u.add_time and s.position < u.spread_position
  union
  select u.uid from app.users as u join app.users as b on b.spread_uid = u.uid
  where u.spread_position >= p_position and u.spread_time = u.add_time and b.spread_position < u.spread_position
$$;

comment on function app.referred_later is
  'Returns the members who got their referrer at or after a position and not when they signed up: at another time, or '
  'at that instant after an order of theirs was settled or somebody joined below them.';

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
    select distinct on (n.uid) n.uid, n.from_value from app.no_assess_changes as n where n.position >= p_position
    order by n.uid, n.position
  ),
  places as (
    select
      s.earner_uid as uid, s.cycle_no, min(s.cycle_plan_version) as plan_version,
      -- Row order: places and their orders: two aggregates of one query read its rows in one sequence.
      array_agg(s.place) filter (where s.place_freed_position is null or s.place_freed_position >= p_position) as taken,
      -- Row order: as above.
      array_agg(s.order_id) filter (
        where s.place_freed_position is null or s.place_freed_position >= p_position
      ) as orders
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
      u.uid, case when a.uid is null and u.spread_uid = p_uids[width_bucket(u.spread_uid, p_uids)]
        then width_bucket(u.spread_uid, p_uids) end,
      coalesce(l.from_level, u.agent_level), coalesce(l.from_held, u.is_held), coalesce(f.from_value, u.no_assess),
      coalesce(c.own_orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0),
      coalesce(c.direct_members, 0),
      coalesce(c.umbrella_members, 0), false, coalesce(u.left_position < p_position, false)
    )::app.tree_member order by u.uid),
    array_agg((
      u.uid, r.since, coalesce(y.cycle_no, 0), y.plan_version,
      coalesce(
        coalesce(cardinality(y.taken), 0) < (
          select p.people_per_cycle from app.commission_plans as p where p.version = y.plan_version
        ),
        false
      ),
      coalesce(y.taken, '{}'), coalesce(y.orders, '{}'), 0
    )::app.cycle_state order by u.uid)
  from app.users as u
  left join levels as l on l.uid = u.uid
  left join flags as f on f.uid = u.uid
  left join app.referred_later(p_position) as a (uid) on a.uid = u.uid
  left join app.computed_task_counts(p_position) as c on c.uid = u.uid
  left join last_cycles as y on y.uid = u.uid
  left join reported as r on r.uid = u.uid
  where u.uid = any (p_uids)
$$;

comment on function app.simulated_members is
  'Returns the members p_uids, sorted, as they were before a position, with task counts also at the top grade, and '
  'their cycles. p_plan and p_from decide which orders reach the minimum base (app.simulated_below_minimum).';

create or replace function app.simulated_orders(
  p_from timestamptz, p_to timestamptz, p_plan app.commission_plans, p_limit bigint, p_by_payment boolean default false
)
returns setof app.simulated_order
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with settled as (
    select
      o.id, o.uid, o.referrer_uid, s.settled_at as at, coalesce(w.paid_position, s.position) as position,
      s.order_plan_version, s.plan_in_force, s.level_version, o.paid_at,
      o.below_minimum, o.queue_base, o.queue_units, o.refund_status, o.is_imported
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    left join (select p.* from app.paid_positions() as p where p_by_payment) as w on w.order_id = s.order_id
    where s.settled_at >= p_from and s.settled_at < p_to and (p_plan.version is null or o.paid_at < p_from)
    union all
    select
      o.id, o.uid, o.referrer_uid, t.at, 0, p_plan.version, p_plan.version,
      coalesce(s.level_version, (select max(v.version) from app.level_versions as v)), o.paid_at,
      app.simulated_below_minimum(o, p_from, p_plan),
      o.queue_base, o.queue_units, o.refund_status, o.is_imported
    from app.orders as o
    left join app.settlements as s on s.order_id = o.id
    cross join lateral (
      select case p_plan.brokerage_timing when 'on_pay' then o.paid_at else o.received_at end as at
    ) as t
    where p_plan.version is not null and o.paid_at >= p_from and o.paid_at < p_to and o.has_queue_goods and t.at < p_to
  ),
  -- Most orders have no refund: what is left of them is what it was at any time.
  refunded as (
    select s.id, n.base, n.units, n.refund_status, e.base as last_base, e.units as last_units
    from settled as s
    cross join lateral app.order_at(s.id, s.at, s.position, p_plan.version is not null) as n
    cross join lateral app.order_at(s.id, p_to, 0, true) as e
    where s.id in (select r.order_id from app.refunds as r)
  )
  select
    s.id, s.uid, s.referrer_uid, s.at, s.position, s.order_plan_version, s.plan_in_force, s.level_version, s.paid_at,
    coalesce(r.base, s.queue_base), coalesce(r.units, s.queue_units), coalesce(r.refund_status, s.refund_status),
    s.below_minimum,
    coalesce(r.last_base, s.queue_base), coalesce(r.last_units, s.queue_units), s.is_imported
  from settled as s
  left join refunded as r on r.id = s.id
  order by case when p_plan.version is not null then s.at end, s.position, s.id
  limit p_limit
$$;

comment on function app.simulated_orders is
  'Returns at most p_limit orders that a simulation settles, in sequence. Without a draft plan, these are the '
  'settlements of the period, by position. With one, orders paid in the period take its timing, and the sequence is '
  'by time. p_by_payment puts batches in the sequence of their payments.';

create or replace function app.simulated_refunds(
  p_orders app.simulated_order[], p_start bigint, p_from timestamptz, p_to timestamptz, p_plan app.commission_plans
)
returns table (
  at timestamptz, "position" bigint, order_id bigint, uid bigint, step integer, frees boolean, ends boolean
)
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
    select o.order_id, o.at, o.position, 'settle' from unnest(p_orders) as o
    where o.order_id in (select s.order_id from steps as s)
    union all
    select distinct s.order_id, p_from, case when p_plan.version is null then p_start - 1 else 0 end, 'start'
    from steps as s
  ),
  states as (
    select
      p.*, o.uid, a.base, a.units, a.refund_status, app.simulated_below_minimum(o, p_from, p_plan) as below_minimum,
      bool_or(p.kind = 'settle' or (p.kind = 'start' and exists (
        select from app.settlements as s
        where s.order_id = o.id and s.position < p_start and s.state in ('settled', 'imported')
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
      lag(
        (s.is_settled and app.is_counted(s.units, s.refund_status, s.below_minimum))::integer
      ) over sequence as counted_before
    from states as s
    window sequence as (
      partition by s.order_id order by case when p_plan.version is not null then s.at end, s.position, s.kind = 'settle'
    )
  )
  select
    c.at, c.position, c.order_id, c.uid, c.counted - c.counted_before,
    c.is_settled and c.base = 0 and c.base_before > 0,
    c.units = 0 and c.units_before > 0
  from compared as c
  where c.kind = 'refund'
$$;

comment on function app.simulated_refunds is
  'Returns a row for each step of each refund of the period: whether the order starts or stops counting for tasks '
  '(step), loses its base (frees), or stops being a reported order (ends). p_orders are the orders that the '
  'simulation settles.';

-- One recursion for all orders: a function called for each of them took most of the time of a timeline.
create or replace function app.asked_members(p_orders app.simulated_order[])
returns table (order_id bigint, at timestamptz, "position" bigint, uid bigint, reported_since timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive asked as (
    select
      o.order_id, o.at, o.position, s.referrer_uid as uid, s.earner_uid, s.eligible_since,
      s.position as settled_position,
      case when s.brokerage_scope = 'umbrella' then p.max_depth else 1 end as max_depth, 1 as depth
    from unnest(p_orders) as o
    join app.settlements as s on s.order_id = o.order_id
    join app.commission_plans as p on p.version = s.order_plan_version
    where s.referrer_uid is not null
      and coalesce(s.reason, 'nobody_eligible') in ('nobody_eligible', 'referrer_not_eligible')
    union all
    select a.order_id, a.at, a.position, u.spread_uid, a.earner_uid, a.eligible_since, a.settled_position, a.max_depth,
      a.depth + 1
    from asked as a
    join app.users as u on u.uid = a.uid
    where a.uid is distinct from a.earner_uid and a.depth < coalesce(a.max_depth, a.depth + 1)
      and u.spread_uid is not null and u.spread_position < a.settled_position
  )
  select a.order_id, a.at, a.position, a.uid, case when a.uid = a.earner_uid then a.eligible_since end from asked as a
$$;

comment on function app.asked_members is
  'Returns the members whose eligibility the settlements of p_orders checked (R4), from the referrer up, each with '
  'the payment time of the reported order that was found, or null.';

-- What raises only by the second version of the rules has a level version; other changes take that of the settlement
-- before them.
create or replace function app.level_version_at(p_position bigint)
returns integer
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max(v.version) filter (where v.position < p_position), min(v.version)) from app.level_versions as v
$$;

comment on function app.level_version_at is
  'Returns the version of the level settings that was in force at a position.';

create or replace function app.simulated_changes(p_uids bigint[], p_start bigint, p_to timestamptz)
returns table (at timestamptz, "position" bigint, level_version integer, change app.tree_change)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select n.add_time, n.position, case when x.raises and not n.to_value then app.level_version_at(n.position) end,
    app.new_tree_change('assess', width_bucket(n.uid, p_uids), p_is_set => n.to_value, p_raises => x.raises)
  from app.no_assess_changes as n cross join lateral (select app.rules_at(n.position) >= 2 as raises) as x
  where n.position >= p_start and n.add_time < p_to
  union all
  select c.add_time, c.position, case when x.raises then app.level_version_at(c.position) end,
    app.new_tree_change(
      'grade', width_bucket(c.uid, p_uids), p_is_set => c.to_held, p_to_level => c.to_level, p_raises => x.raises
    )
  from app.level_changes as c
  -- As app.set_agent_level.
  cross join lateral (
    select c.from_held and not c.to_held and c.to_level >= c.from_level and app.rules_at(c.position) >= 2 as raises
  ) as x
  where c.reason <> 'tasks' and c.position >= p_start and c.add_time < p_to
  union all
  select i.finished_at, i.finished_position, app.level_version_at(i.finished_position),
    app.new_tree_change('import', m.ordinality::integer, p_raises => app.rules_at(i.finished_position) >= 2)
  from app.imports as i cross join unnest(p_uids) with ordinality as m (uid)
  where i.finished_position >= p_start and i.finished_at < p_to
  union all
  select u.spread_time, u.spread_position, case when x.raises then app.level_version_at(u.spread_position) end,
    app.new_tree_change(
      'refer', width_bucket(u.uid, p_uids), p_referrer => width_bucket(u.spread_uid, p_uids), p_raises => x.raises
    )
  from app.referred_later(p_start) as l (uid) join app.users as u on u.uid = l.uid
  cross join lateral (select app.rules_at(u.spread_position) >= 2 as raises) as x
  where u.uid = any (p_uids)
  union all
  select u.left_at, u.left_position, null, app.new_tree_change('leave', width_bucket(u.uid, p_uids))
  from app.users as u where u.left_position >= p_start and u.left_at < p_to and u.uid = any (p_uids)
$$;

comment on function app.simulated_changes is
  'Returns what changed members in a period otherwise than by orders and refunds, by the rules of its position '
  '(app.rules_at). p_uids is sorted. level_version is set for what may raise.';

create or replace function app.simulated_timeline(
  p_orders app.simulated_order[], p_uids bigint[], p_start bigint, p_from timestamptz, p_to timestamptz,
  p_plan app.commission_plans
)
returns table (ordinal bigint, level_version integer, fact app.order_facts, change app.tree_change)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with refunds as materialized (select * from app.simulated_refunds(p_orders, p_start, p_from, p_to, p_plan)),
  happenings as (
    select
      o.at, o.position, 1 as rank, o.order_id, o.level_version, f.fact,
      case
        -- An imported order only counts. Who rises by it, rises at the end of the import.
        when o.is_imported then app.new_tree_change(
          'count', (f.fact).member, o.order_id, p_step => (f.fact).is_counted::integer
        )
        else app.settlement_change(
          f.fact, case when o.plan_version = p_plan.version then p_plan.max_depth else p.max_depth end
        )
      end as change
    from unnest(p_orders) as o
    cross join lateral (
      select app.new_facts(
        'settle', width_bucket(o.uid, p_uids), o.order_id, o.uid, o.referrer_uid, o.plan_version, o.plan_in_force,
        o.paid_at, o.base, o.units,
        p_reason => app.barring_reason(o.units, o.base, o.below_minimum, o.referrer_uid, o.is_imported),
        p_is_counted => app.is_counted(o.units, o.refund_status, o.below_minimum)
      ) as fact
    ) as f
    left join app.commission_plans as p on p.version = o.plan_version
    union all
    select r.at, r.position, 1, r.order_id, case when x.raises and r.step > 0 then app.level_version_at(r.position) end,
      case when r.frees then app.new_facts('free', width_bucket(r.uid, p_uids), r.order_id) end,
      case
        when r.step <> 0 then app.new_tree_change(
          'count', width_bucket(r.uid, p_uids), r.order_id, p_step => r.step, p_raises => x.raises
        )
      end
    from refunds as r cross join lateral (select app.rules_at(r.position) >= 2 as raises) as x
    where r.step <> 0 or r.frees
    union all
    -- Without a draft plan, eligibility is what the settlement found.
    select a.at, a.position, 0, a.order_id, null,
      app.new_facts('report', width_bucket(a.uid, p_uids), p_paid_at => a.reported_since), null
    from app.asked_members(p_orders) as a
    where p_plan.version is null
    union all
    -- With a draft plan, it follows from the member's first reported order that is left.
    select r.at, r.position, 1, r.order_id, null,
      app.new_facts('report', width_bucket(r.uid, p_uids), p_paid_at => (
        select min(o.paid_at) from app.orders as o
        where o.uid = r.uid and o.paid_at is not null and o.has_queue_goods
          and not app.simulated_below_minimum(o, p_from, p_plan)
          and (app.order_at(o.id, r.at, r.position, true)).units > 0
      )), null
    from refunds as r
    where r.ends and p_plan.version is not null
    union all
    select c.at, c.position, 1, 0, c.level_version, null, c.change
    from app.simulated_changes(p_uids, p_start, p_to) as c
  )
  select
    row_number() over (order by case when p_plan.version is not null then h.at end, h.position, h.rank, h.order_id),
    h.level_version, h.fact, h.change
  from happenings as h
$$;

comment on function app.simulated_timeline is
  'Returns what happened in the period of a simulation, in sequence, as the engine takes it: facts for the cycles, '
  'changes for the tree. p_uids is sorted. level_version is set for settlements and for what else may raise.';

create or replace function app.simulated_uids(p_orders app.simulated_order[], p_start bigint, p_to timestamptz)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with recursive members as (
    select u.uid, u.spread_uid
    from app.users as u
    where u.uid in (
      select o.uid from unnest(p_orders) as o
      union all
      select o.uid from app.refunds as r join app.orders as o on o.id = r.order_id
      where r.position >= p_start or r.decided_position >= p_start
      union all
      select n.uid from app.no_assess_changes as n where n.position >= p_start
      union all
      select c.uid from app.level_changes as c where c.position >= p_start and c.reason <> 'tasks'
      union all
      select b.uid from app.users as b where b.spread_position >= p_start and b.spread_uid is not null
    )
    union
    select r.uid, r.spread_uid from members as m join app.users as r on r.uid = m.spread_uid
  )
  select coalesce(array_agg(m.uid order by m.uid), '{}') from members as m
$$;

comment on function app.simulated_uids is
  'Returns the members that a simulation needs, sorted: buyers, members who change in the period, and all their '
  'uplines.';
