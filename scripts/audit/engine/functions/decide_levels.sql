CREATE OR REPLACE FUNCTION app.decide_levels(p_changes app.tree_change[], p_members app.tree_member[], p_levels app.level_rule[], p_lists_all boolean DEFAULT false, OUT grants app.level_grant[], OUT rises app.level_rise[], OUT members app.tree_member[])
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
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
$function$
