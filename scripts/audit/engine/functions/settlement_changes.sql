CREATE OR REPLACE FUNCTION app.settlement_changes(p_orders app.order_facts[], p_plans app.commission_plans[])
 RETURNS app.tree_change[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  v_order app.order_facts;
  v_changes app.tree_change[] := array[]::app.tree_change[];
begin
  foreach v_order in array p_orders loop
    v_changes := v_changes || app.settlement_change(v_order, p_plans[v_order.plan_version].max_depth);
  end loop;
  return v_changes;
end
$function$
