-- Explain: decides an order again from the state that it was settled in, and shows each step.

-- Counts with the same SQL as app.count_downline.
create or replace function app.audit_counts(p_uid bigint, p_limit integer default 200)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_counted record;
  v_user app.users;
  v_next smallint;
begin
  select u.* into v_user from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  select * into v_counted from app.count_downline(p_uid);
  select min(l.grade) into v_next from app.agent_levels as l where l.is_active and l.grade > v_user.agent_level;
  return jsonb_build_object(
    'uid', p_uid, 'agent_level', v_user.agent_level, 'level_is_held', v_user.is_held, 'next_level', v_next, 'counted',
    to_jsonb(v_counted),
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object(
        'type', t.type, 'target', t.target, 'counted', (to_jsonb(v_counted) ->> t.type)::integer,
        'met', (to_jsonb(v_counted) ->> t.type)::integer >= t.target
      ) order by t.type)
      from app.agent_level_tasks as t where t.grade = v_next
    ), '[]'),
    'left_out', coalesce((
      select jsonb_object_agg(r.reason, r.orders)
      from (
        select d.reason, count(*) as orders from app.downline_orders(p_uid) as d where d.reason is not null
        group by d.reason
      ) as r
    ), '{}'),
    'orders', coalesce((
      select jsonb_agg(jsonb_build_object(
        'order_id', d.order_id, 'uid', d.uid, 'nickname', (select u.nickname from app.users as u where u.uid = d.uid),
        'is_direct', d.is_direct, 'counted', d.reason is null, 'reason', d.reason
      ) order by d.reason is null, d.order_id desc)
      from (select * from app.downline_orders(p_uid) as a order by a.reason is null, a.order_id desc limit p_limit) as d
    ), '[]')
  );
end
$$;

comment on function app.audit_counts is
  'Returns a member''s task counts, the tasks of the next grade, and up to p_limit orders of the downline, newest '
  'first: those that do not count, with the reason, before the others. Raises user_not_found.';

create or replace function app.chain_at(p_uid bigint, p_position bigint)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive chain as (
    select u.uid, u.spread_uid, u.spread_position, 0 as depth from app.users as u where u.uid = p_uid
    union all
    select r.uid, r.spread_uid, r.spread_position, c.depth + 1
    from chain as c join app.users as r on r.uid = c.spread_uid
    where c.spread_position < p_position
  )
  select array_agg(c.uid order by c.depth) from chain as c
$$;

comment on function app.chain_at is 'Returns a member and their upline as it was at a position, nearest first.';

create or replace function app.level_at(p_uid bigint, p_position bigint)
returns smallint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (
      select c.from_level from app.level_changes as c where c.uid = p_uid and c.position >= p_position
      order by c.position, c.id limit 1
    ),
    (select u.agent_level from app.users as u where u.uid = p_uid)
  )
$$;

comment on function app.level_at is 'Returns the grade that a member held at a position.';

create or replace function app.had_left(p_uid bigint, p_position bigint)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce((select u.left_position < p_position from app.users as u where u.uid = p_uid), false)
$$;

comment on function app.had_left is 'Returns whether a member had left before a position.';

-- Generic query plan: see app.get_upline.
create or replace function app.cycle_at(p_settlement app.settlements)
returns app.cycle_state
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  -- If no earlier settlement is in this cycle, this settlement opened it, and the previous cycle had ended.
  return (
    select (
      p_settlement.earner_uid,
      (
        -- What the settlement recorded, but only if the earner has such an order (R4).
        select o.paid_at from app.orders as o
        where o.uid = p_settlement.earner_uid and o.paid_at = p_settlement.eligible_since and o.has_queue_goods
          and not o.below_minimum
        -- Row order: all these payments are of one time.
        limit 1
      ),
      p_settlement.cycle_no - (count(*) = 0)::integer,
      min(s.cycle_plan_version), count(*) > 0,
      -- Row order: places and their orders: two aggregates of one query read its rows in one sequence.
      coalesce(
        array_agg(s.place) filter (
          where s.place_freed_position is null or s.place_freed_position > p_settlement.position
        ),
        '{}'
      ),
      -- Row order: as above.
      coalesce(
        array_agg(s.order_id) filter (
          where s.place_freed_position is null or s.place_freed_position > p_settlement.position
        ),
        '{}'
      ),
      0
    )::app.cycle_state
    from app.taken_places as s
    where s.earner_uid = p_settlement.earner_uid and s.cycle_no = p_settlement.cycle_no
      and s.position < p_settlement.position
  );
end
$$;

comment on function app.cycle_at is 'Returns the cycle of a settlement''s earner before the settlement took its place.';

-- Eligibility (R4) is taken from the settlement, not computed again, because later refunds would change it. The
-- recorded payment must be one of the earner's own orders.
create or replace function app.restore_state(p_settlement app.settlements)
returns app.engine_state
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state app.engine_state;
  v_uids bigint[] := app.chain_at(p_settlement.uid, p_settlement.position);
begin
  v_state.levels := (select l.rules from app.level_versions as l where l.version = p_settlement.level_version);
  v_state.level_version := p_settlement.level_version;
  v_state.plan_in_force := p_settlement.plan_in_force;
  -- The referrer of each member is the next element of the array.
  select
    array_agg((
      m.uid, case when m.ordinality < cardinality(v_uids) then m.ordinality + 1 end,
      app.level_at(m.uid, p_settlement.position),
      true, false, 0, 0, 0, 0, 0, false, app.had_left(m.uid, p_settlement.position)
    )::app.tree_member order by m.ordinality),
    array_agg(case when m.uid = p_settlement.earner_uid then app.cycle_at(p_settlement) end order by m.ordinality)
  into v_state.members, v_state.cycles
  from unnest(v_uids) with ordinality as m (uid);
  v_state.plans := app.load_plans(
    array[p_settlement.order_plan_version, p_settlement.cycle_plan_version, p_settlement.plan_in_force]
  );
  return v_state;
end
$$;

comment on function app.restore_state is
  'Returns the state from which a settlement was decided, as far as earner, place, rate and points depend on it, '
  'without task counts.';

-- Level changes are not decided again, because past task counts are not stored; app.level_changes has them.
create or replace function app.decide_again(
  p_settlement app.settlements, out settlement app.settlements, out grants app.level_grant[]
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := (select o from app.orders as o where o.id = p_settlement.order_id);
  v_state app.engine_state := app.restore_state(p_settlement);
  v_facts app.order_facts := (
    'settle', p_settlement.order_id, 1, p_settlement.uid, p_settlement.referrer_uid, p_settlement.order_plan_version,
    p_settlement.plan_in_force, v_order.paid_at, p_settlement.base, p_settlement.units,
    app.barring_reason(
      p_settlement.units, p_settlement.base, v_order.below_minimum, p_settlement.referrer_uid, v_order.is_imported
    ),
    false
  );
begin
  settlement := (app.decide_cycles(array[v_facts], v_state.members, v_state.cycles, v_state.plans)).settlements[1];
  grants := (
    app.decide_levels(app.settlement_changes(array[v_facts], v_state.plans), v_state.members, v_state.levels, true)
  ).grants;
end
$$;

comment on function app.decide_again is
  'Decides a past settlement again (app.restore_state). grants has a row for each member of the upline, also without '
  'points.';

create or replace function app.explain_cycle(
  p_settlement app.settlements, p_decision app.settlements, p_grants app.level_grant[], p_limit integer
)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'rule', 'R1 base x rate of the place, rounded down', 'brokerage_scope', p_decision.brokerage_scope,
    'base', p_decision.base::text, 'earner_uid', p_decision.earner_uid, 'cycle_no', p_decision.cycle_no,
    'place', p_decision.place, 'cycle_plan_version', p_decision.cycle_plan_version,
    'ratio', trim_scale(p_decision.ratio), 'rate', trim_scale(p_decision.rate),
    'capped_by', case when p_decision.rate < p_decision.ratio then
      case p_decision.rate when c.payout_cap then p_decision.cycle_plan_version else p_decision.plan_in_force end
    end,
    'commission', p_decision.commission::text, 'points_per_brokerage', trim_scale(c.points_per_brokerage),
    'commission_points', trim_scale(p_decision.commission_points),
    'place_freed_at', app.utc(p_settlement.place_freed_at), 'reason', p_decision.reason,
    'asked', coalesce((
      select jsonb_agg(jsonb_build_object(
        'depth', g.depth, 'uid', g.uid, 'eligible', g.uid is not distinct from p_decision.earner_uid, 'has_left',
        app.had_left(g.uid, p_settlement.position)
      ) order by g.depth)
      from unnest(p_grants) as g
      where coalesce(p_decision.reason, 'referrer_not_eligible') in (
        'referrer_not_eligible', 'referrer_left', 'nobody_eligible'
      )
        and g.depth <= least(
          p_limit, case when p_decision.brokerage_scope = 'direct' then 1 end, o.max_depth,
          (select e.depth from unnest(p_grants) as e where e.uid = p_decision.earner_uid)
        )
    ), '[]')
  )
  from app.commission_plans as o
  left join app.commission_plans as c on c.version = p_decision.cycle_plan_version
  where o.version = p_decision.order_plan_version
$$;

comment on function app.explain_cycle is
  'Explains the commission of a settlement: place and amount, or why nobody earned, and up to p_limit members whose '
  'eligibility was checked (R4), nearest first. p_decision is p_settlement decided again.';

create or replace function app.explain_levels(p_settlement app.settlements, p_grants app.level_grant[], p_limit integer)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'depth', g.depth, 'uid', g.uid, 'agent_level', g.agent_level, 'agent_level_name', l.name,
    'direct_points', l.direct_points, 'umbrella_points', l.umbrella_points, 'passed_on', trim_scale(g.passed_on),
    'rule',
    case g.depth
      when 1 then 'R6 direct points per unit x units'
      else 'R7 umbrella points per unit above what is passed on x units'
    end,
    'per_unit', trim_scale(g.per_unit), 'points', trim_scale(g.points),
    'reason', case
      when g.points > 0 then null
      when p_settlement.reason = 'imported' then 'order_was_imported'
      when p_settlement.reason = 'refunded' then 'order_was_refunded'
      when p_settlement.reason in ('below_minimum', 'zero_base') then p_settlement.reason
      when p_settlement.reason = 'no_referrer' then 'order_had_no_referrer'
      when g.depth > p.max_depth then 'beyond_max_depth'
      when app.had_left(g.uid, p_settlement.position) then 'member_left'
      when g.depth = 1 then 'level_brings_no_direct_points'
      else 'nothing_above_what_is_passed_on'
    end
  ) order by g.depth), '[]')
  from unnest(p_grants) as g
  join app.level_versions as v on v.version = p_settlement.level_version
  cross join lateral jsonb_to_record(v.levels -> g.agent_level::integer) as l (
    name text, direct_points numeric, umbrella_points numeric
  )
  join app.commission_plans as p on p.version = p_settlement.order_plan_version
  where g.depth <= p_limit
$$;

comment on function app.explain_levels is
  'Explains the points by level of a settlement for up to p_limit members of the upline at that time, nearest first, '
  'with the rule or the reason for none. p_grants are those decided again.';

-- Generic query plan: see app.get_upline.
create or replace function app.settlement_differences(p_settlement app.settlements)
returns table (subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
begin
  return query
  with again as materialized (select d.settlement as s, d.grants from app.decide_again(p_settlement) as d),
  decided as (
    select e.*, row_number() over (partition by e.uid, e.type, e.source order by e.ordinality) as ordinal
    from again as a cross join lateral unnest(
      app.settlement_entries(array[a.s], a.grants, app.load_plans(array[(a.s).cycle_plan_version]))
    ) with ordinality as e
  ),
  booked as (
    -- Numbered, so that a second row of the same kind has nothing to be compared with.
    select l.*, row_number() over (partition by l.uid, l.type, l.source order by l.id) as ordinal
    -- With `offset 0`, the rows of the order are found before they are numbered: a plan made while a month was empty
    -- would read all of it by member.
    from (
      select b.* from app.bill(p_settlement.settled_at, 'infinity') as b where b.order_id = p_settlement.order_id
      offset 0
    ) as l
    where l.reverses_id is null and app.is_earned(l.type)
  )
  select
    'settlement',
      concat_ws(
        ' ', (a.s).earner_uid, (a.s).reason, (a.s).cycle_no, (a.s).place, (a.s).rate, (a.s).commission,
        (a.s).commission_points
      ),
    concat_ws(
      ' ', p_settlement.earner_uid, p_settlement.reason, p_settlement.cycle_no, p_settlement.place, p_settlement.rate,
      p_settlement.commission, p_settlement.commission_points
    )
  from again as a
  where (
    (a.s).earner_uid, (a.s).reason, (a.s).cycle_no, (a.s).place, (a.s).rate, (a.s).commission, (a.s).commission_points
  )
    is distinct from (
      p_settlement.earner_uid, p_settlement.reason, p_settlement.cycle_no, p_settlement.place, p_settlement.rate,
      p_settlement.commission, p_settlement.commission_points
    )
  union all
  select
    format('%s of uid %s', coalesce(d.source, b.source), coalesce(d.uid, b.uid)),
    coalesce(
      nullif(
        concat_ws(' ', d.brokerage_delta + d.frozen_delta, 'level ' || d.agent_level, 'passed on ' || d.passed_on), ''
      ),
      'nothing'
    ),
    coalesce(
      nullif(
        concat_ws(' ', b.brokerage_delta + b.frozen_delta, 'level ' || b.agent_level, 'passed on ' || b.passed_on), ''
      ),
      'nothing'
    )
  from decided as d
  full join booked as b on b.uid = d.uid and b.type = d.type and b.source = d.source and b.ordinal = d.ordinal
  where (d.brokerage_delta, d.frozen_delta, d.basis, d.rate, d.agent_level, d.passed_on)
    is distinct from (b.brokerage_delta, b.frozen_delta, b.basis, b.rate, b.agent_level, b.passed_on);
end
$$;

comment on function app.settlement_differences is
  'Returns where a settlement, decided again, differs from what was booked: a row for the settlement, and one for '
  'each grant.';

create or replace function app.explain_hold(p_order_id bigint, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'refund_id', r.id, 'requested_at', app.utc(r.created_at), 'uid', m.uid, 'amount', m.amount_left::text, 'matures_at',
    app.utc(m.matures_at),
    'has_matured', coalesce(m.matures_at <= p_now, false)
  )
  from app.refunds as r join app.commission_maturities as m on m.order_id = r.order_id
  where r.order_id = p_order_id and r.state = 'requested' and m.amount_left > 0 and app.names_queue_goods(r.id)
$$;

comment on function app.explain_hold is
  'Returns the open refund request that holds the commission of an order, whose commission and how much. Null if '
  'nothing is held.';

create or replace function app.explain_order(p_order_id bigint, p_limit integer default 200)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- As for app.bill_page.
set enable_seqscan = off
set jit = off
as $$
declare
  v_order app.orders;
  v_settlement app.settlements;
  v_job app.settlement_jobs;
  v_again record;
  v_result jsonb;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  select j.* into v_job from app.settlement_jobs as j where j.order_id = p_order_id;
  v_result := jsonb_build_object(
    'order_id', p_order_id, 'state', coalesce(v_settlement.state, v_job.state, 'none'), 'uid', v_order.uid,
    'referrer_uid', v_order.referrer_uid, 'order_plan_version', v_order.plan_version, 'paid_at',
    app.utc(v_order.paid_at)
  );
  if v_settlement.order_id is null then
    return v_result;
  end if;
  v_again := app.decide_again(v_settlement);
  return v_result || jsonb_build_object(
    'base', v_settlement.base::text, 'units', v_settlement.units, 'settled_at', app.utc(v_settlement.settled_at),
    'level_version', v_settlement.level_version, 'upline_depth', cardinality(v_again.grants),
    'cycle', app.explain_cycle(v_settlement, v_again.settlement, v_again.grants, p_limit),
    'levels', app.explain_levels(v_settlement, v_again.grants, p_limit),
    'held_by_refund', app.explain_hold(p_order_id, clock_timestamp()),
    'matches_the_books', not exists (select from app.settlement_differences(v_settlement)),
    'bill', coalesce((
      select jsonb_agg(app.bill_json(b) order by b.id) from app.bill(v_order.add_time, 'infinity') as b
      where b.order_id = p_order_id
    ), '[]'),
    'level_changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'uid', c.uid, 'from_level', c.from_level, 'to_level', c.to_level, 'cause', coalesce(c.cause, 'order')
      ) order by c.id)
      from app.level_changes as c where c.order_id = p_order_id
    ), '[]')
  );
end
$$;

comment on function app.explain_order is
  'Explains who got what for an order and why others got nothing, in enough detail to recompute it. state is none '
  '(nothing to settle yet), waiting, dead, settled, refunded or imported. Lists at most p_limit members. Raises '
  'order_not_found.';
