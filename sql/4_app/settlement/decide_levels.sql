create or replace function app.decide_levels(
  p_events app.tree_event[], p_members app.tree_member[], p_levels app.level_rule[], p_lists_all boolean default false,
  out grants app.level_grant[], out rises app.level_rise[], out members app.tree_member[]
)
language plpgsql
immutable
as $$
declare
  v_event app.tree_event;
  v_ordinal integer := 0;
  v_member app.tree_member;
  v_rule app.level_rule;
  v_orders integer;
  v_members integer;
  v_orders_below integer;
  v_members_below integer;
  v_index integer;
  v_depth integer;
  v_passed_on numeric;
  v_per_unit numeric;
  v_rising integer[];
begin
  grants := '{}';
  rises := '{}';
  members := p_members;
  foreach v_event in array p_events loop
    v_ordinal := v_ordinal + 1;
    v_member := members[v_event.member];
    v_orders_below := 0;
    v_members_below := 0;
    case v_event.kind
      when 'assess' then
        v_member.no_assess := v_event.is_set;
        v_orders := case when v_event.is_set then -v_member.own_orders else v_member.own_orders end;
        v_members := pg_catalog.sign(v_orders);
      when 'refer' then
        v_member.referrer := v_event.referrer;
        v_orders := case when v_member.no_assess then 0 else v_member.own_orders end;
        v_members := pg_catalog.sign(v_orders);
        v_orders_below := coalesce(v_event.orders_below, v_member.umbrella_orders);
        v_members_below := coalesce(v_event.members_below, v_member.umbrella_members);
      when 'grade' then
        v_member.agent_level := v_event.to_level;
        v_member.is_held := v_event.is_set;
        v_orders := 0;
        v_members := 0;
      else
        -- A member counts as long as they have at least one order that counts.
        v_orders := case when v_member.no_assess then 0 else v_event.step end;
        v_members := case when least(v_member.own_orders, v_member.own_orders + v_event.step) = 0 then v_orders else 0 end;
        v_member.own_orders := v_member.own_orders + v_event.step;
    end case;
    v_member.is_changed := true;
    members[v_event.member] := v_member;

    v_index := v_member.referrer;
    v_depth := 1;
    v_passed_on := 0;
    v_rising := '{}';
    while v_index is not null loop
      v_member := members[v_index];
      v_rule := p_levels[v_member.agent_level + 1];
      if v_event.units > 0 or p_lists_all then
        v_per_unit := case
          when v_event.units = 0 or v_depth > v_event.max_depth then 0
          when v_depth = 1 then v_rule.direct_points
          else app.umbrella_share(v_rule.umbrella_points, v_passed_on)
        end;
        if v_per_unit > 0 or p_lists_all then
          grants := grants || (
            v_ordinal, v_event.order_id, v_depth, v_member.uid, v_member.agent_level, v_passed_on, v_per_unit, v_event.units,
            app.level_points(v_per_unit, v_event.units)
          )::app.level_grant;
        end if;
        -- R7: the umbrella points of the level are passed on, also by the referrer, who got the direct points.
        v_passed_on := greatest(v_passed_on, v_rule.umbrella_points);
      end if;
      if v_rule.is_counted then
        if v_orders <> 0 or v_orders_below <> 0 then
          if v_depth = 1 then
            v_member.direct_orders := v_member.direct_orders + v_orders;
            v_member.direct_members := v_member.direct_members + v_members;
          end if;
          v_member.umbrella_orders := v_member.umbrella_orders + v_orders + v_orders_below;
          v_member.umbrella_members := v_member.umbrella_members + v_members + v_members_below;
          v_member.is_changed := true;
          members[v_index] := v_member;
        end if;
        if v_event.kind = 'settle' and app.meets_next_level(v_member, v_rule) then
          v_rising := v_rising || v_index;
        end if;
      end if;
      v_index := v_member.referrer;
      v_depth := v_depth + 1;
    end loop;

    foreach v_index in array v_rising loop
      v_member := members[v_index];
      v_rule := p_levels[v_member.agent_level + 1];
      while app.meets_next_level(v_member, v_rule) loop
        rises := rises || (v_event.order_id, v_member.uid, v_member.agent_level, v_rule.next_grade)::app.level_rise;
        v_member.agent_level := v_rule.next_grade;
        v_rule := p_levels[v_member.agent_level + 1];
      end loop;
      v_member.is_changed := true;
      members[v_index] := v_member;
    end loop;
  end loop;
end
$$;

comment on function app.decide_levels is
  'Decides, event by event and going up from the member of the event, which frozen points are granted by level (R5, R6, R7), '
  'what counts for tasks (R8, R9) and who rises. Points use the levels held before the event. Returns the grants, the rises '
  'and the members after all events. With p_lists_all, the grants list every member above, zero amounts included, for '
  'explanations.';
