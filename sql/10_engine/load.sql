-- Step 1 of a settlement, load: the members whose rows it may change, their locks, and everything that a batch of
-- orders is decided from, in few statements.

-- The recursion goes up from all members at once. A shared ancestor appears once for each distinct amount that members
-- below pass on (R7) and each number of steps, so it has at most two rows more than there are levels. steps is 0 for
-- the members themselves, 1 for their referrers, 2 for anyone above.
-- Generic query plan: see app.get_upline.
-- Precondition: the caller has locked the structure.
create or replace function app.upline_of(
  p_uids bigint[], p_levels app.level_rule[], out uids bigint[], out written bigint[]
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- With few members, Postgres would scan all of them at every step.
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  with recursive upline as (
    select u.uid, u.spread_uid, u.agent_level, u.left_at is not null as has_left, 0 as steps, 0::numeric as passed_on
    from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select
      r.uid, r.spread_uid, r.agent_level, r.left_at is not null, least(p.steps + 1, 2),
      case
        when p.steps = 0 then 0
        when p.has_left then p.passed_on
        else greatest(p.passed_on, p_levels[p.agent_level + 1].umbrella_points)
      end
    from upline as p join app.users as r on r.uid = p.spread_uid
  )
  select array_agg(m.uid order by m.uid), array_agg(m.uid order by m.uid) filter (where m.is_written)
  into uids, written
  from (
    select p.uid, bool_or(
      p.steps < 2 or p_levels[p.agent_level + 1].keeps_counts
      or p_levels[p.agent_level + 1].umbrella_points > p.passed_on
    ) as is_written
    from upline as p
    group by p.uid
  ) as m;
end
$$;

comment on function app.upline_of is
  'Returns the given members with their uplines, sorted (uids), and those of them whose rows a decision may change '
  '(written).';

-- Precondition: p_uids is sorted; the caller has locked the balances if the result is to stay true. A referrer is
-- looked up by binary search: width_bucket returns the index of the last uid that is not above the given one.
-- Generic query plan: see app.get_upline.
create or replace function app.read_members(
  p_uids bigint[], p_earners bigint[], out members app.tree_member[], out cycles app.cycle_state[], out plans integer[]
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  -- Row order: that of the subquery.
  select array_agg(m.member), array_agg(m.cycle), array_agg((m.cycle).plan_version)
  into members, cycles, plans
  from (
    select
      (
        u.uid,
        case when u.spread_uid = p_uids[width_bucket(u.spread_uid, p_uids)] then width_bucket(u.spread_uid, p_uids) end,
        u.agent_level, u.is_held, u.no_assess, b.own_orders, b.direct_orders, b.umbrella_orders, b.direct_members,
        b.umbrella_members, false, u.left_at is not null
      )::app.tree_member as member,
      case when u.uid = any (p_earners) then (
        u.uid,
        (
          select min(o.paid_at) from app.orders as o
          where o.uid = u.uid and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
        ),
        b.cycle_no, b.cycle_plan_version, b.cycle_is_open, t.places, t.orders,
        0
      )::app.cycle_state end as cycle
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    left join lateral (
      -- Row order: any sequence of places. Two aggregates of one query read its rows in the same one, so an order has
      -- the index of its place.
      select coalesce(array_agg(s.place), '{}') as places, coalesce(array_agg(s.order_id), '{}') as orders
      from app.taken_places as s
      where b.cycle_is_open and u.uid = any (p_earners) and s.earner_uid = u.uid and s.cycle_no = b.cycle_no
        and s.place_freed_at is null
    ) as t on true
    where u.uid = any (p_uids)
    order by u.uid
  ) as m;
end
$$;

comment on function app.read_members is
  'Returns these members as decisions see them, sorted by uid, the cycles of those in p_earners, and the plan versions '
  'of these cycles.';

create or replace function app.load_plans(p_versions integer[])
returns app.commission_plans[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_version integer;
  v_plans app.commission_plans[];
begin
  foreach v_version in array p_versions loop
    if v_version is not null and v_plans[v_version].version is null then
      v_plans[v_version] := (select p from app.commission_plans as p where p.version = v_version);
    end if;
  end loop;
  return v_plans;
end
$$;

comment on function app.load_plans is 'Returns plans as an array whose index is the version; other elements are null.';

create or replace function app.new_facts(
  p_kind text, p_member integer, p_order_id bigint default null, p_uid bigint default null,
  p_referrer_uid bigint default null,
  p_plan_version integer default null, p_plan_in_force integer default null, p_paid_at timestamptz default null,
  p_base numeric default null,
  p_units integer default null, p_reason text default null, p_is_counted boolean default null
)
returns app.order_facts
language sql
immutable
parallel safe
as $$
  select (
    p_kind, p_order_id, p_member, p_uid, p_referrer_uid, p_plan_version, p_plan_in_force, p_paid_at, p_base, p_units,
    p_reason, p_is_counted
  )::app.order_facts
$$;

comment on function app.new_facts is 'Returns what the rules know of an order or of a change.';

-- Has no set clause, which would cost time in every call. width_bucket finds the index of the buyer: see
-- app.read_members.
create or replace function app.order_facts(p_orders app.orders[], p_members app.tree_member[], p_plan_in_force integer)
returns app.order_facts[]
language plpgsql
immutable
as $$
begin
  return array(
    select app.new_facts(
      'settle',
      pg_catalog.width_bucket(o.uid, array(select m.uid from pg_catalog.unnest(p_members) as m order by m.uid)), o.id,
      o.uid, o.referrer_uid,
      o.plan_version, p_plan_in_force, o.paid_at, o.queue_base, o.queue_units,
      p_reason => app.barring_reason(o.queue_units, o.queue_base, o.below_minimum, o.referrer_uid, o.is_imported),
      p_is_counted => app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
    )
    from pg_catalog.unnest(p_orders) with ordinality as o
    order by o.ordinality
  );
end
$$;

comment on function app.order_facts is 'Returns what the rules know of orders. p_members is sorted by uid.';

-- Row order: the arrays are sets.
create or replace function app.umbrella_earners(p_orders app.orders[], p_uids bigint[], p_earners bigint[])
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_read record := app.read_members(p_uids, p_earners);
  v_plans app.commission_plans[] := app.load_plans(array(select o.plan_version from unnest(p_orders) as o));
begin
  return array(
    select p_uids[app.find_earner(o, v_plans[o.plan_version], v_read.members, v_read.cycles)]
    from unnest(app.order_facts(p_orders, v_read.members, null)) as o
    where o.reason is null
  );
end
$$;

comment on function app.umbrella_earners is
  'Returns who would earn the commission of these orders by the current data: app.load_state locks them, too.';

-- Precondition: the caller has locked the structure and the orders.
-- Locks: balances by uid.
-- Row order: the arrays are sets. The rows of all members are locked by uid.
create or replace function app.load_state(
  p_uids bigint[] default '{}', p_orders app.orders[] default '{}', p_with_cycles bigint[] default '{}',
  p_locks boolean default true
)
returns app.engine_state
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state app.engine_state;
  v_orders record;
  v_upline record;
  v_read record;
  v_earners bigint[];
begin
  select l.version, l.rules, (select max(p.version) from app.commission_plans as p)
  into v_state.level_version, v_state.levels, v_state.plan_in_force
  from app.level_versions as l order by l.version desc limit 1;
  select
    array_agg(o.uid) as uids, array_agg(o.referrer_uid) as referrers, array_agg(o.plan_version) as plans,
    coalesce(bool_or(p.brokerage_scope = 'umbrella'), false) as are_umbrella
  into v_orders
  from unnest(p_orders) as o join app.commission_plans as p on p.version = o.plan_version;
  v_upline := app.upline_of(p_uids || v_orders.uids, v_state.levels);

  -- With scope direct, only referrers can earn; with scope umbrella, any member of the upline can.
  v_earners := case when v_orders.are_umbrella then v_upline.uids else v_orders.referrers end || p_with_cycles;
  v_state.locked := v_upline.written || p_with_cycles;
  if v_orders.are_umbrella then
    v_state.locked := v_state.locked || app.umbrella_earners(p_orders, v_upline.uids, v_earners);
  end if;
  if p_locks then
    perform app.lock_balances(v_state.locked);
  end if;

  v_read := app.read_members(v_upline.uids, v_earners);
  v_state.members := v_read.members;
  v_state.cycles := v_read.cycles;
  v_state.plans := app.load_plans(v_orders.plans || v_read.plans || v_state.plan_in_force);
  return v_state;
end
$$;

comment on function app.load_state is
  'Locks the balances that decisions about these members may change, then reads all that the decisions need (first '
  'step of the engine). p_orders are to be settled; p_uids are members besides their buyers. p_with_cycles, of their '
  'uplines, are locked and read with cycles in any case. With p_locks false it only reads.';

create or replace function app.member_index(p_state app.engine_state, p_uid bigint)
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select m.ordinality::integer from unnest(p_state.members) with ordinality as m where m.uid = p_uid
$$;

comment on function app.member_index is 'Returns the index of a member in the arrays of a state.';
