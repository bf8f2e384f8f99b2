CREATE OR REPLACE FUNCTION app.new_facts(p_kind text, p_member integer, p_order_id bigint DEFAULT NULL::bigint, p_uid bigint DEFAULT NULL::bigint, p_referrer_uid bigint DEFAULT NULL::bigint, p_plan_version integer DEFAULT NULL::integer, p_plan_in_force integer DEFAULT NULL::integer, p_paid_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_base numeric DEFAULT NULL::numeric, p_units integer DEFAULT NULL::integer, p_reason text DEFAULT NULL::text, p_is_counted boolean DEFAULT NULL::boolean)
 RETURNS app.order_facts
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (
    p_kind, p_order_id, p_member, p_uid, p_referrer_uid, p_plan_version, p_plan_in_force, p_paid_at, p_base, p_units, p_reason, p_is_counted
  )::app.order_facts
$function$
