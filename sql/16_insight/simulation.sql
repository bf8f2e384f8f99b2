-- Simulate: decides the orders of a past period under a draft.

create or replace function app.first_position(p_from timestamptz)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(least(
    (select min(s.position) from app.settlements as s where s.settled_at >= p_from),
    (select min(r.position) from app.refunds as r where r.created_at >= p_from),
    (select min(r.decided_position) from app.refunds as r where r.decided_at >= p_from),
    (select min(n.position) from app.no_assess_changes as n where n.add_time >= p_from),
    (select min(c.position) from app.level_changes as c where c.add_time >= p_from),
    (select min(i.finished_position) from app.imports as i where i.finished_at >= p_from),
    (select min(u.left_position) from app.users as u where u.left_at >= p_from)
  ), 9223372036854775807)
$$;

comment on function app.first_position is
  'Returns the position of the first change at or after p_from that the engine replays, or the highest bigint.';

create or replace function app.simulated_chunks(
  p_orders app.simulated_order[], p_uids bigint[], p_start bigint, p_from timestamptz, p_to timestamptz,
  p_plan app.commission_plans,
  p_levels jsonb
)
returns table (facts app.order_facts[], changes app.tree_change[], levels app.level_rule[])
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with versioned as (
    select
      t.ordinal, t.fact, t.change,
      case
        when p_levels is not null and t.level_version is not null
          and coalesce((t.fact).paid_at >= p_from or (t.fact).kind <> 'settle', true) then 0
        else t.level_version
      end as level_version,
      count(t.level_version) over (order by t.ordinal) as piece
    from app.simulated_timeline(p_orders, p_uids, p_start, p_from, p_to, p_plan) as t
  ),
  -- Other changes belong to the settlement before them.
  filled as (
    select v.ordinal, v.fact, v.change, max(v.level_version) over (partition by v.piece) as level_version
    from versioned as v
  ),
  compared as (
    select f.*, lag(f.level_version) over (order by f.ordinal) is distinct from f.level_version or f.ordinal % 5000 = 0
      or (f.change).kind in ('refer', 'leave')
      and coalesce(lag((f.change).kind) over (order by f.ordinal) not in ('refer', 'leave'), true) as begins
    from filled as f
  ),
  numbered as (
    select c.*, count(*) filter (where c.begins) over (order by c.ordinal) as chunk from compared as c
  )
  select
    coalesce(array_agg(n.fact order by n.ordinal) filter (where (n.fact).kind is not null), '{}'),
    coalesce(array_agg(n.change order by n.ordinal) filter (where (n.change).kind is not null), '{}'),
    case
      when max(n.level_version) = 0 then app.level_rules(p_levels, true)
      else (
        select app.level_rules(l.levels, true) from app.level_versions as l
        where l.version = max(n.level_version) or max(n.level_version) is null
        order by l.version desc limit 1
      )
    end
  from numbered as n
  group by n.chunk
  order by n.chunk
$$;

comment on function app.simulated_chunks is
  'Splits the timeline of a simulation into chunks of at most 5,000 steps with one version of the level settings '
  'each. A chunk also begins where a member gets a referrer or leaves. Draft levels apply to orders paid in the '
  'period and to what else raises in it.';

create or replace function app.simulated_amounts(
  p_orders app.simulated_order[], p_settlements app.settlements[], p_grants app.level_grant[],
  p_plans app.commission_plans[]
)
returns app.simulated_amount[]
language sql
immutable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  -- Row order: a set; app.simulation_report sums it.
  select coalesce(array_agg((
    b.order_id, b.uid, case when app.is_money(b.type) then a.amount end,
    case when not app.is_money(b.type) then a.amount end
  )::app.simulated_amount), '{}')
  from unnest(app.settlement_entries(p_settlements, p_grants, p_plans)) as b
  join unnest(p_orders) as o on o.order_id = b.order_id
  left join unnest(p_settlements) as s on s.order_id = b.order_id
  cross join lateral (
    select app.grant_amount(
      b.type, app.basis_left(b.type, b.source, o.base_left, o.units_left, s.rate), b.rate
    ) as amount
  ) as a
$$;

comment on function app.simulated_amounts is
  'Returns what simulated decisions pay, per order and member, less what refunds take back by the end of the period.';

-- The caller may have switched nested loops off, which look up the bill rows of each order. Of the table: only releases
-- can stand elsewhere.
create or replace function app.simulated_entries(
  p_orders app.simulated_order[], p_amounts app.simulated_amount[], p_to timestamptz
)
returns table (side text, uid bigint, order_id bigint, referrer_uid bigint, money numeric, points numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
set enable_nestloop = on
set jit = off
as $$
  select 'simulated', a.uid, a.order_id, o.referrer_uid, coalesce(a.money, 0.00), coalesce(a.points, 0)
  from unnest(p_amounts) as a join unnest(p_orders) as o on o.order_id = a.order_id
  union all
  select 'paid', l.uid, l.order_id, o.referrer_uid, l.brokerage_delta, l.frozen_delta + l.available_delta
  from unnest(p_orders) as o join app.user_bill as l on l.order_id = o.order_id and l.add_time < p_to
  where app.is_earned(l.type)
$$;

comment on function app.simulated_entries is
  'Returns what a simulation pays (side simulated) and what was paid (paid) for the same orders, with the referrer of '
  'the buyer. Reversals are negative.';

-- Nested loops over arrays would take quadratic time (see app.add_up_team).
create or replace function app.simulated_depths(
  p_orders app.simulated_order[], p_amounts app.simulated_amount[], p_to timestamptz
)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
  with pairs as materialized (
    select
      e.referrer_uid, e.uid, coalesce(sum(e.money) filter (where e.side = 'simulated'), 0.00) as money,
      coalesce(sum(e.points) filter (where e.side = 'simulated'), 0) as points,
      coalesce(sum(e.money) filter (where e.side = 'paid'), 0.00) as paid_money,
      coalesce(sum(e.points) filter (where e.side = 'paid'), 0) as paid_points
    from app.simulated_entries(p_orders, p_amounts, p_to) as e group by e.referrer_uid, e.uid
  ),
  -- Row order: pairs: two aggregates of one query read its rows in one sequence.
  arrays as (select array_agg(p.referrer_uid) as referrers, array_agg(p.uid) as earners from pairs as p),
  depths as (
    select app.shown_depth(d.depth) as depth, sum(p.money) as money, sum(p.points) as points,
      sum(p.paid_money) as paid_money, sum(p.paid_points) as paid_points
    from pairs as p
    join (select o.* from arrays as a cross join lateral app.depths_of_earners(a.referrers, a.earners) as o) as d
      on d.referrer_uid = p.referrer_uid and d.earner_uid = p.uid
    group by 1
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'depth', d.depth, 'commission', d.money::text, 'points', trim_scale(d.points), 'paid_commission',
    d.paid_money::text, 'paid_points', trim_scale(d.paid_points)
  ) order by d.depth), '[]')
  from depths as d
$$;

comment on function app.simulated_depths is
  'Returns what a simulation pays at each shown depth (app.depths_of_earners) beside what was paid for the same '
  'orders, nearest first.';

create or replace function app.simulation_report(
  p_orders app.simulated_order[], p_amounts app.simulated_amount[], p_to timestamptz, p_limit integer
)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with entries as materialized (select * from app.simulated_entries(p_orders, p_amounts, p_to)),
  revenue as (select coalesce(sum(o.base_left), 0.00) as total from unnest(p_orders) as o),
  members as (
    select e.uid, coalesce(sum(e.money) filter (where e.side = 'simulated'), 0.00) as money,
      coalesce(sum(e.points) filter (where e.side = 'simulated'), 0) as points,
      coalesce(sum(e.money) filter (where e.side = 'paid'), 0.00) as paid_money,
      coalesce(sum(e.points) filter (where e.side = 'paid'), 0) as paid_points
    from entries as e group by e.uid
  ),
  -- Materialized, because the sums and the highest order of each side follow from them.
  orders as materialized (
    select e.side, e.order_id, sum(e.money) as money, sum(e.points) as points from entries as e
    group by e.side, e.order_id
  ),
  totals as (select o.side, sum(o.money) as money, sum(o.points) as points from orders as o group by o.side),
  highest as (
    select distinct on (o.side) o.side, o.order_id, o.money from orders as o order by o.side, o.money desc, o.order_id
  )
  select jsonb_build_object(
    'orders', cardinality(p_orders), 'revenue', (select r.total::text from revenue as r),
    'totals', coalesce((
      select jsonb_object_agg(t.side, jsonb_build_object(
        'commission', t.money::text, 'points', trim_scale(t.points),
        'payout_share', (select trunc(t.money / nullif(r.total, 0), 4) from revenue as r),
        'highest_order', jsonb_build_object('order_id', h.order_id, 'commission', h.money::text)
      )) from totals as t join highest as h on h.side = t.side
    ), '{}'),
    'depths', app.simulated_depths(p_orders, p_amounts, p_to),
    'members', coalesce((
      select jsonb_agg(jsonb_build_object(
        'uid', m.uid, 'nickname', m.nickname, 'commission', m.money::text, 'points', trim_scale(m.points),
        'paid_commission', m.paid_money::text, 'paid_points', trim_scale(m.paid_points)
      ) order by m.money desc, m.uid)
      from (
        select n.*, u.nickname from members as n join app.users as u on u.uid = n.uid order by n.money desc, n.uid
        limit p_limit
      ) as m
    ), '[]')
  )
$$;

comment on function app.simulation_report is
  'Returns what a simulation pays beside what was paid for the same orders: in total, for the highest order, by '
  'depth, and for the p_limit members with the highest commission. Money is text, points are numbers.';

-- Bounded by p_max_orders and by the statement timeout of the session.
-- Stable: Postgres itself prevents writes and row locks.
create or replace function app.simulate(
  p_plan jsonb, p_levels jsonb, p_from timestamptz, p_to timestamptz, p_max_orders integer default 20000,
  p_limit integer default 20,
  p_by_payment boolean default false
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_orders app.simulated_order[];
  v_start bigint;
  v_uids bigint[];
  v_plans app.commission_plans[];
  v_state record;
  v_chunk record;
  v_money record;
  v_points record;
  v_amounts app.simulated_amount[] := '{}';
  v_done integer := 0;
begin
  if p_from is null or p_to is null or p_from >= p_to then
    perform app.fail('invalid_argument', 'The end of a period must be after its beginning.');
  elsif p_max_orders is null or p_max_orders < 1 or p_limit is null or p_limit < 1 then
    perform app.fail('invalid_argument', 'A simulation has at least one order and one member.');
  end if;
  perform app.require_time(p_from);
  perform app.require_time(p_to);
  if p_plan is not null then
    v_plan := app.draft_plan(p_plan, '/plan');
    v_plan.version := app.active_plan_version() + 1;
  end if;
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;
  -- Row order: a set; app.simulated_timeline puts the orders in sequence.
  v_orders := array(
    select o from app.simulated_orders(p_from, p_to, v_plan, p_max_orders::bigint + 1, p_by_payment) as o
  );
  if cardinality(v_orders) > p_max_orders then
    perform app.fail('simulation_too_large', format('More than %s orders. Choose a shorter period.', p_max_orders));
  end if;
  v_start := app.first_position(p_from);
  v_uids := app.simulated_uids(v_orders, v_start, p_to);
  v_state := app.simulated_members(v_uids, v_start, p_from, v_plan);
  v_plans := app.load_plans(array( -- Row order: a set.
    select o.plan_version from unnest(v_orders) as o union select o.plan_in_force from unnest(v_orders) as o
    union select c.plan_version from unnest(v_state.cycles) as c
  ));
  if v_plan.version is not null then
    v_plans[v_plan.version] := v_plan;
  end if;
  for v_chunk in
    select c.* from app.simulated_chunks(v_orders, v_uids, v_start, p_from, p_to, v_plan, p_levels) with ordinality as c
    order by c.ordinality
  loop
    -- No referrer changes and nobody leaves after the first settlement of a chunk, so the tree after all of its changes
    -- is the one that its orders are decided with.
    v_points := app.decide_levels(v_chunk.changes, v_state.members, v_chunk.levels);
    v_money := app.decide_cycles(v_chunk.facts, v_points.members, v_state.cycles, v_plans);
    v_amounts := v_amounts || app.simulated_amounts(v_orders, v_money.settlements, v_points.grants, v_plans);
    select v_points.members as members, v_money.cycles as cycles into v_state;
    v_done := v_done + cardinality(v_money.settlements);
    raise notice 'replayed % of %', v_done, cardinality(v_orders);
  end loop;
  return app.simulation_report(v_orders, v_amounts, p_to, p_limit);
end
$$;

comment on function app.simulate is
  'Replays the orders of a past period by the engine and returns what they would pay beside what they paid '
  '(app.simulation_report). A draft plan or draft levels apply to orders paid in the period; open cycles keep their '
  'plan. Without them, both are equal unless p_by_payment finds another sequence. Raises simulation_too_large beyond '
  'p_max_orders.';

create or replace function app.queue_goods_paid(p_order_id bigint)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select sum(l.paid) from app.order_lines as l where l.order_id = p_order_id and l.is_queue_goods
$$;

comment on function app.queue_goods_paid is
  'Returns the base of an order at payment, before any refund. Money, 2 decimals; null without queue goods.';

-- Has no set clause, so that the planner can inline it: it is evaluated for every paid order.
create or replace function app.simulated_below_minimum(
  p_order app.orders, p_from timestamptz, p_plan app.commission_plans
)
returns boolean
language sql
stable
as $$
  select case
    when p_plan.version is null or p_order.paid_at < p_from then p_order.below_minimum
    else app.is_below_minimum(app.queue_goods_paid(p_order.id), p_plan.minimum_base)
  end
$$;

comment on function app.simulated_below_minimum is
  'Returns whether the base of an order at payment was below the minimum base of its plan, or of the draft plan if '
  'that applies.';
