CREATE OR REPLACE FUNCTION app.decide_cycles(p_orders app.order_facts[], p_members app.tree_member[], p_cycles app.cycle_state[], p_plans app.commission_plans[], OUT settlements app.settlements[], OUT cycles app.cycle_state[])
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
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
$function$
