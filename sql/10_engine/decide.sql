-- Step 2 of a settlement, decide: who earns what, and who rises. These functions read no table and no clock.

create or replace function app.find_earner(
  p_order app.order_facts, p_plan app.commission_plans, p_members app.tree_member[], p_cycles app.cycle_state[]
)
returns integer
language plpgsql
immutable
as $$
declare
  v_index integer := p_members[p_order.member].referrer;
  -- A max_depth of null sets no limit.
  v_left integer := case p_plan.brokerage_scope when 'direct' then 1 else p_plan.max_depth end;
begin
  while v_index is not null and coalesce(v_left, 1) > 0 loop
    if p_cycles[v_index].reported_since <= p_order.paid_at and p_members[v_index].has_left is not true then
      return v_index;
    end if;
    v_index := p_members[v_index].referrer;
    v_left := v_left - 1;
  end loop;
  return null;
end
$$;

comment on function app.find_earner is
  'Returns the index of the member who earns the commission of an order (R4), or null. With scope direct, the '
  'referrer; with scope umbrella, the nearest eligible member of the upline within max_depth. Who has left is not '
  'eligible.';

create or replace function app.decide_cycles(
  p_orders app.order_facts[], p_members app.tree_member[], p_cycles app.cycle_state[], p_plans app.commission_plans[],
  out settlements app.settlements[], out cycles app.cycle_state[]
)
language plpgsql
immutable
as $$
declare
  v_order app.order_facts;
  v_plan app.commission_plans;
  v_cycle_plan app.commission_plans;
  v_earner integer;
  v_cycle app.cycle_state;
  v_index integer;
  v_place integer;
  v_settlement app.settlements;
begin
  cycles := p_cycles;
  settlements := '{}';
  foreach v_order in array p_orders loop
    if v_order.kind = 'free' then
      -- The earner is the member above the buyer whose cycle has the order.
      v_earner := p_members[v_order.member].referrer;
      while v_earner is not null loop
        v_cycle := cycles[v_earner];
        v_index := pg_catalog.array_position(v_cycle.orders, v_order.order_id);
        if v_index is not null then
          if v_cycle.is_open then
            v_cycle.taken := v_cycle.taken[:v_index - 1] || v_cycle.taken[v_index + 1:];
            v_cycle.orders := v_cycle.orders[:v_index - 1] || v_cycle.orders[v_index + 1:];
            v_cycle.placed := v_cycle.placed - 1;
            cycles[v_earner] := v_cycle;
          end if;
          exit;
        end if;
        v_earner := p_members[v_earner].referrer;
      end loop;
      continue;
    elsif v_order.kind = 'report' then
      cycles[v_order.member].reported_since := v_order.paid_at;
      continue;
    end if;
    v_plan := p_plans[v_order.plan_version];
    v_settlement := null;
    v_settlement.order_id := v_order.order_id;
    v_settlement.state := case when v_order.units = 0 then 'refunded' else 'settled' end;
    v_settlement.uid := v_order.uid;
    v_settlement.referrer_uid := v_order.referrer_uid;
    v_settlement.order_plan_version := v_order.plan_version;
    v_settlement.plan_in_force := v_order.plan_in_force;
    v_settlement.brokerage_scope := v_plan.brokerage_scope;
    v_settlement.base := v_order.base;
    v_settlement.units := v_order.units;
    v_settlement.commission := 0;
    v_settlement.commission_points := 0;
    v_settlement.reason := v_order.reason;

    if v_order.reason is null then
      v_earner := app.find_earner(v_order, v_plan, p_members, cycles);
      if v_earner is null then
        v_settlement.reason := case
          when v_plan.brokerage_scope <> 'direct' then 'nobody_eligible'
          when p_members[p_members[v_order.member].referrer].has_left then 'referrer_left'
          else 'referrer_not_eligible'
        end;
      else
        v_cycle := cycles[v_earner];
        if not v_cycle.is_open then
          v_cycle.cycle_no := v_cycle.cycle_no + 1;
          v_cycle.plan_version := v_plan.version;
          v_cycle.taken := '{}';
          v_cycle.orders := '{}';
        end if;
        v_cycle_plan := p_plans[v_cycle.plan_version];
        v_place := 1;
        while v_place = any (v_cycle.taken) loop
          v_place := v_place + 1;
        end loop;
        v_cycle.taken := v_cycle.taken || v_place::smallint;
        v_cycle.orders := v_cycle.orders || v_order.order_id;
        v_cycle.is_open := pg_catalog.cardinality(v_cycle.taken) < v_cycle_plan.people_per_cycle;
        v_cycle.placed := v_cycle.placed + 1;
        cycles[v_earner] := v_cycle;

        v_settlement.earner_uid := v_cycle.uid;
        v_settlement.eligible_since := v_cycle.reported_since;
        v_settlement.cycle_no := v_cycle.cycle_no;
        v_settlement.place := v_place;
        v_settlement.cycle_plan_version := v_cycle_plan.version;
        v_settlement.ratio := v_cycle_plan.tier_ratios[v_place];
        v_settlement.rate := least(
          v_settlement.ratio, v_cycle_plan.payout_cap, p_plans[v_order.plan_in_force].payout_cap
        );
        v_settlement.commission := app.cycle_commission(v_order.base, v_settlement.rate);
        v_settlement.commission_points := app.commission_points(
          v_settlement.commission, v_cycle_plan.points_per_brokerage
        );
      end if;
    end if;
    settlements := settlements || v_settlement;
  end loop;
end
$$;

comment on function app.decide_cycles is
  'Decides, order by order, who earns which place and what it pays (R1, R3, R4, R10). An order takes the lowest free '
  'place of the open cycle; a new cycle keeps the plan of the order that opens it. The rate is the ratio, limited by '
  'the payout caps of that plan and of the plan in force. Returns the settlements, without position, time and level '
  'version, and the cycles after them.';

create or replace function app.settlement_change(p_order app.order_facts, p_max_depth integer)
returns app.tree_change
language sql
immutable
parallel safe
as $$
  select app.new_tree_change(
    case when p_order.units > 0 then 'settle' else 'count' end, p_order.member, p_order.order_id,
    p_units => case when p_order.reason is null then p_order.units else 0 end, p_max_depth => p_max_depth,
    p_step => p_order.is_counted::integer
  )
$$;

comment on function app.settlement_change is
  'Returns the tree change of settling an order. One that can pay nobody (app.barring_reason) grants no points; one '
  'that was refunded before raises nobody.';

-- Has no set clause, which would cost time in every call.
create or replace function app.settlement_changes(p_orders app.order_facts[], p_plans app.commission_plans[])
returns app.tree_change[]
language plpgsql
immutable
as $$
declare
  v_order app.order_facts;
  v_changes app.tree_change[] := array[]::app.tree_change[];
begin
  foreach v_order in array p_orders loop
    v_changes := v_changes || app.settlement_change(v_order, p_plans[v_order.plan_version].max_depth);
  end loop;
  return v_changes;
end
$$;

comment on function app.settlement_changes is 'Returns the tree changes of settling orders, one for each.';

create or replace function app.decide_levels(
  p_changes app.tree_change[], p_members app.tree_member[], p_levels app.level_rule[],
  p_lists_all boolean default false,
  out grants app.level_grant[], out rises app.level_rise[], out members app.tree_member[]
)
language plpgsql
immutable
as $$
declare
  v_change app.tree_change;
  v_ordinal integer := 0;
  v_member app.tree_member;
  v_ancestor app.tree_member;
  v_rule app.level_rule;
  v_orders_delta integer;
  v_members_delta integer;
  v_orders_below integer;
  v_members_below integer;
  v_index integer;
  v_depth integer;
  v_passed_on numeric;
  v_per_unit numeric;
  v_raises boolean;
  v_rising integer[];
begin
  grants := '{}';
  rises := '{}';
  members := p_members;
  foreach v_change in array p_changes loop
    v_ordinal := v_ordinal + 1;
    v_member := members[v_change.member];
    v_orders_delta := 0;
    v_members_delta := 0;
    v_orders_below := 0;
    v_members_below := 0;
    case v_change.kind
      when 'assess' then
        v_member.no_assess := v_change.is_set;
        v_orders_delta := case when v_change.is_set then -v_member.own_orders else v_member.own_orders end;
        v_members_delta := pg_catalog.sign(v_orders_delta);
      when 'refer' then
        v_member.referrer := v_change.referrer;
        v_orders_delta := case when v_member.no_assess then 0 else v_member.own_orders end;
        v_members_delta := pg_catalog.sign(v_orders_delta);
        v_orders_below := coalesce(v_change.orders_below, v_member.umbrella_orders);
        v_members_below := coalesce(v_change.members_below, v_member.umbrella_members);
      when 'grade' then
        v_member.agent_level := v_change.to_level;
        v_member.is_held := v_change.is_set;
      when 'leave' then
        v_member.has_left := true;
      when 'import' then
        null;
      else
        -- A member counts as long as they have at least one order that counts: the first one adds the member, and the
        -- loss of the last one removes them. In both cases, one of the counts before and after is 0.
        v_orders_delta := case when v_member.no_assess then 0 else v_change.step end;
        v_members_delta := case
          when least(v_member.own_orders, v_member.own_orders + v_change.step) = 0 then v_orders_delta
          else 0
        end;
        v_member.own_orders := v_member.own_orders + v_change.step;
    end case;
    v_member.is_changed := true;
    members[v_change.member] := v_member;

    -- A settlement raises whoever meets the tasks, another change only where it has raised the counts (R5).
    v_raises := v_change.kind = 'settle' or v_change.raises and v_orders_delta + v_orders_below > 0;
    -- A level that is set and the end of an import change nobody above.
    v_index := case when v_change.kind not in ('grade', 'import') then v_member.referrer end;
    v_depth := 1;
    v_passed_on := 0;
    v_rising := case
      when v_change.kind in ('grade', 'import') and v_change.raises then array[v_change.member]
      else '{}'
    end;
    while v_index is not null loop
      v_ancestor := members[v_index];
      v_rule := p_levels[v_ancestor.agent_level + 1];
      if v_ancestor.has_left then
        -- As a level without any points. The counts go on, and the step counts in max_depth.
        v_rule.direct_points := 0;
        v_rule.umbrella_points := 0;
      end if;
      if v_change.units > 0 or p_lists_all then
        v_per_unit := case
          -- A max_depth of null sets no limit.
          when v_change.units = 0 or v_depth > v_change.max_depth then 0
          when v_depth = 1 then v_rule.direct_points
          else app.umbrella_share(v_rule.umbrella_points, v_passed_on)
        end;
        if v_per_unit > 0 or p_lists_all then
          grants := grants || (
            v_ordinal, v_change.order_id, v_depth, v_ancestor.uid, v_ancestor.agent_level, v_passed_on, v_per_unit,
            v_change.units,
            app.level_points(v_per_unit, v_change.units)
          )::app.level_grant;
        end if;
        -- R7: the umbrella points per unit of the level are passed on, also by the referrer, who got the direct points.
        v_passed_on := greatest(v_passed_on, v_rule.umbrella_points);
      end if;
      if v_rule.keeps_counts then
        if v_orders_delta <> 0 or v_orders_below <> 0 then
          if v_depth = 1 then
            v_ancestor.direct_orders := v_ancestor.direct_orders + v_orders_delta;
            v_ancestor.direct_members := v_ancestor.direct_members + v_members_delta;
          end if;
          v_ancestor.umbrella_orders := v_ancestor.umbrella_orders + v_orders_delta + v_orders_below;
          v_ancestor.umbrella_members := v_ancestor.umbrella_members + v_members_delta + v_members_below;
          v_ancestor.is_changed := true;
          members[v_index] := v_ancestor;
        end if;
        if v_raises and app.meets_next_level(v_ancestor, v_rule) then
          v_rising := v_rising || v_index;
        end if;
      end if;
      v_index := v_ancestor.referrer;
      v_depth := v_depth + 1;
    end loop;

    -- Rises follow the walk, because the points of the whole upline use the levels before the order (R5).
    foreach v_index in array v_rising loop
      v_ancestor := members[v_index];
      v_rule := p_levels[v_ancestor.agent_level + 1];
      while app.meets_next_level(v_ancestor, v_rule) loop
        rises := rises || (
          v_change.order_id, v_ancestor.uid, v_ancestor.agent_level, v_rule.next_grade,
          case v_change.kind
            when 'settle' then 'order'
            when 'count' then 'refund'
            when 'grade' then 'hold'
            else v_change.kind
          end,
          v_ordinal
        )::app.level_rise;
        v_ancestor.agent_level := v_rule.next_grade;
        v_rule := p_levels[v_ancestor.agent_level + 1];
      end loop;
      v_ancestor.is_changed := true;
      members[v_index] := v_ancestor;
    end loop;
  end loop;
end
$$;

comment on function app.decide_levels is
  'Decides, change by change, which points the members above get by level (R5, R6, R7), what counts for tasks (R8, R9) '
  'and who rises. Points use the levels before the change. Who has left counts as a level without points and does not '
  'rise. Returns the grants, the rises and all members after the changes. p_lists_all includes grants of zero, for '
  'explanations.';

-- Has no set clause, which would cost time in every call.
-- Each settlement has one tree change, in the same sequence (app.settlement_changes), so the ordinal of a grant is that
-- of its settlement.
create or replace function app.settlement_entries(
  p_settlements app.settlements[], p_grants app.level_grant[], p_plans app.commission_plans[]
)
returns app.bill_entry[]
language plpgsql
immutable
as $$
begin
  return array(
    select e.entry
    from (
      select s.ordinality, 0 as rank, app.new_entry(
        s.earner_uid, 'brokerage', 'cycle', p_brokerage => s.commission, p_order_id => s.order_id, p_basis => s.base,
        p_rate => s.rate
      ) as entry
      from pg_catalog.unnest(p_settlements) with ordinality as s
      where s.commission > 0
      union all
      select s.ordinality, 1, app.new_entry(
        s.earner_uid, 'frozen_points_brokerage', 'cycle', p_frozen => s.commission_points, p_order_id => s.order_id,
        p_basis => s.commission,
        p_rate => p_plans[s.cycle_plan_version].points_per_brokerage
      )
      from pg_catalog.unnest(p_settlements) with ordinality as s
      where s.commission_points > 0
      union all
      select g.ordinal, 1 + g.depth, app.new_entry(
        g.uid, 'frozen_points_brokerage', case g.depth when 1 then 'direct' else 'umbrella' end, p_frozen => g.points,
        p_order_id => g.order_id,
        p_basis => g.units, p_rate => g.per_unit, p_agent_level => g.agent_level,
        p_passed_on => case when g.depth > 1 then g.passed_on end
      )
      from pg_catalog.unnest(p_grants) as g
      where g.points > 0
    ) as e
    order by e.ordinality, e.rank
  );
end
$$;

comment on function app.settlement_entries is
  'Returns the bill entries of settlements, order by order: commission, its frozen points (R3), and points by level '
  '(R5, R6, R7), without zeros.';
