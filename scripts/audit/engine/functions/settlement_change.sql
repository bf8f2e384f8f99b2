CREATE OR REPLACE FUNCTION app.settlement_change(p_order app.order_facts, p_max_depth integer)
 RETURNS app.tree_change
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select app.new_tree_change(
    case when p_order.units > 0 then 'settle' else 'count' end, p_order.member, p_order.order_id,
    p_units => case when p_order.reason is null then p_order.units else 0 end, p_max_depth => p_max_depth, p_step => p_order.is_counted::integer
  )
$function$
