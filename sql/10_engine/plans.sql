-- What a plan will pay: to a member for the next order, and the most that one order can pay.

-- Returns a set and has no set clause, so that the planner can inline it (see app.has_reported_order).
create or replace function app.progress_json(
  p_balances app.user_balances, p_plan_in_force app.commission_plans, p_places smallint[], p_is_eligible boolean
)
returns setof json
language sql
stable
rows 1
as $$
  select pg_catalog.json_build_object(
    'plan_version', p.version,
    'people_per_cycle', p.people_per_cycle,
    'tier_ratios', pg_catalog.array_to_json(array(
      select pg_catalog.trim_scale(least(r.r, p.payout_cap, p_plan_in_force.payout_cap))
      from pg_catalog.unnest(p.tier_ratios) with ordinality as r order by r.ordinality
    )),
    'brokerage_scope', p_plan_in_force.brokerage_scope,
    'brokerage_timing', p_plan_in_force.brokerage_timing,
    'eligible', p_is_eligible,
    'cycle_no', case when p_balances.cycle_is_open then p_balances.cycle_no else p_balances.cycle_no + 1 end,
    'cycle_current', pg_catalog.cardinality(p_places),
    'cycle_remaining', p.people_per_cycle - pg_catalog.cardinality(p_places),
    'next_ratio', pg_catalog.trim_scale(least(p.tier_ratios[(
      select pg_catalog.min(g) from pg_catalog.generate_series(1, p.people_per_cycle) as g where g <> all (p_places)
    )], p.payout_cap, p_plan_in_force.payout_cap)),
    'total_places', p_balances.total_places,
    'total_brokerage', p_balances.total_brokerage::pg_catalog.text
  )
  from app.commission_plans as p
  where p.version = case
    when p_balances.cycle_is_open then p_balances.cycle_plan_version
    else p_plan_in_force.version
  end
$$;

comment on function app.progress_json is
  'Returns a commission cycle as the API shows it, in one row: the open one, or the next one with the plan in force. '
  'Scope and timing are those of the plan in force. Ratios are limited by payout caps.';

-- Has no set clause, so that the planner can inline it. `offset 0` keeps the planner from reading the places again for
-- each use of them.
create or replace function app.brokerage_progress(p_uid bigint, p_now timestamptz)
returns setof json
language sql
stable
rows 1
as $$
  select p
  from app.user_balances as b
  cross join lateral (select a.* from app.commission_plans as a order by a.version desc limit 1) as active
  cross join lateral (
    select array(
      select s.place from app.taken_places as s
      where s.earner_uid = b.uid and b.cycle_is_open and s.cycle_no = b.cycle_no and s.place_freed_at is null
      order by s.place
    ) as places
    offset 0
  ) as t
  cross join lateral app.has_reported_order(b.uid, p_now) as is_eligible
  cross join lateral app.progress_json(
    b, active, t.places, is_eligible and (select u.left_at from app.users as u where u.uid = p_uid) is null
  ) as p
  where b.uid = p_uid
$$;

comment on function app.brokerage_progress is
  'Returns a member''s commission cycle now (app.progress_json); no row without such a member. Who has left is not '
  'eligible.';

-- The worst case: the price is the highest of all queue goods, on sale or not. The order takes the place with the
-- highest rate. Above the buyer stand a referrer of any grade and a member of the grade with the most umbrella points
-- per unit.
create or replace function app.worst_order(
  p_plan app.commission_plans, p_levels jsonb, out price numeric, out ratio numeric, out commission numeric,
  out payout_share numeric,
  out commission_points numeric, out level_points numeric, out points numeric, out cycle jsonb, out cycle_share numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules app.level_rule[] := app.level_rules(p_levels);
  v_top smallint := (select r.grade from unnest(v_rules) as r order by r.umbrella_points desc limit 1);
  v_members app.tree_member[];
  v_settlements app.settlements[];
  v_plans app.commission_plans[];
begin
  price := (select coalesce(max(g.price), 0.00) from app.products as g where g.is_queue_goods and not g.is_del);
  v_plans[p_plan.version] := p_plan;
  -- For each grade, by depth: a buyer (0), a referrer of that grade (1), and above them a member of the grade with the
  -- most umbrella points per unit (2).
  v_members := array(
    select (
      m.depth + 1, case when m.depth < 2 then 3 * (m.number - 1) + m.depth + 2 end,
      case m.depth when 1 then m.grade when 2 then v_top else 0 end,
      true, false, 0, 0, 0, 0, 0, false, false
    )::app.tree_member
    from (
      select dense_rank() over (order by r.grade) as number, r.grade, d.depth from unnest(v_rules) as r
      cross join generate_series(0, 2) as d (depth)
    ) as m
    order by m.number, m.depth
  );
  level_points := (
    select coalesce(max(o.points), 0) from (
      select sum(g.points) as points
      from unnest((app.decide_levels(array(
        select app.new_tree_change(
          'settle', 3 * (n - 1) + 1, n, p_units => 1, p_max_depth => p_plan.max_depth, p_step => 0
        )
        from generate_series(1, cardinality(v_rules)) as n order by n
      ), v_members, v_rules)).grants) as g
      group by g.order_id
    ) as o
  );
  -- One order of the first buyer for each place of a cycle.
  v_settlements := (app.decide_cycles(
    array(
      select app.new_facts(
        'settle', 1, n, p_uid => 1, p_referrer_uid => 2, p_plan_version => p_plan.version,
        p_plan_in_force => p_plan.version, p_paid_at => 'infinity',
        p_base => worst_order.price, p_units => 1, p_is_counted => true
      )
      from generate_series(1, p_plan.people_per_cycle) as n order by n
    ),
    v_members, array[null, (2, '-infinity', 0, null, false, null, null, 0)::app.cycle_state]::app.cycle_state[], v_plans
  )).settlements;
  select
    max(s.rate), max(s.commission), max(s.commission_points),
    jsonb_agg(
      jsonb_build_object('place', s.place, 'ratio', trim_scale(s.rate), 'commission', s.commission::text)
      order by s.place
    ),
    app.round_down(sum(s.commission) / nullif(worst_order.price * count(*), 0), 5)
  into ratio, commission, commission_points, cycle, cycle_share
  from unnest(v_settlements) as s;
  payout_share := app.round_down(commission / nullif(price, 0), 5);
  points := commission_points + level_points;
end
$$;

comment on function app.worst_order is
  'Returns the most that one order of one unit can pay under a plan and level settings (app.levels_json()). cycle is '
  'what each place pays: [{place, ratio, commission}]. Shares are fractions of the price; null if it is 0.';

create or replace function app.plan_reach(p_plan app.commission_plans, p_levels jsonb)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with reach as (
    select
      case
        when 0 = all (p_plan.tier_ratios) then 0
        when p_plan.brokerage_scope = 'direct' then 1
        else p_plan.max_depth
      end as commission,
      case
        when exists (
          select from jsonb_array_elements(p_levels) as l where (l ->> 'umbrella_points')::numeric > 0
        ) then p_plan.max_depth
        when exists (select from jsonb_array_elements(p_levels) as l where (l ->> 'direct_points')::numeric > 0) then 1
        else 0
      end as points
  )
  select jsonb_build_object(
    'commission', r.commission, 'points', r.points, 'network_depth', s.network_depth,
    'is_deeper', r.commission is null or r.points is null or greatest(r.commission, r.points) > s.network_depth
  )
  from reach as r cross join app.settings as s
$$;

comment on function app.plan_reach is
  'Returns {commission, points, network_depth, is_deeper}: up to which depth orders can pay both under a plan and '
  'level settings (app.levels_json()). Null: no limit; 0: none. is_deeper: one of them exceeds network_depth of the '
  'settings.';

grant execute on function app.plan_reach(app.commission_plans, jsonb) to store_admin;
