CREATE OR REPLACE FUNCTION app.find_earner(p_order app.order_facts, p_plan app.commission_plans, p_members app.tree_member[], p_cycles app.cycle_state[])
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
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
$function$
