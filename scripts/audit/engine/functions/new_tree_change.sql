CREATE OR REPLACE FUNCTION app.new_tree_change(p_kind text, p_member integer, p_order_id bigint DEFAULT NULL::bigint, p_units integer DEFAULT 0, p_max_depth integer DEFAULT NULL::integer, p_step integer DEFAULT NULL::integer, p_is_set boolean DEFAULT NULL::boolean, p_referrer integer DEFAULT NULL::integer, p_orders_below integer DEFAULT NULL::integer, p_members_below integer DEFAULT NULL::integer, p_to_level smallint DEFAULT NULL::smallint, p_raises boolean DEFAULT false)
 RETURNS app.tree_change
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (
    p_kind, p_member, p_order_id, p_units, p_max_depth, p_step, p_is_set, p_referrer, p_orders_below, p_members_below,
    p_to_level, p_raises
  )::app.tree_change
$function$
