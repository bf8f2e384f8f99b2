CREATE OR REPLACE FUNCTION app.new_entry(p_uid bigint, p_type text, p_source text, p_brokerage numeric DEFAULT 0, p_frozen numeric DEFAULT 0, p_available numeric DEFAULT 0, p_order_id bigint DEFAULT NULL::bigint, p_basis numeric DEFAULT NULL::numeric, p_rate numeric DEFAULT NULL::numeric, p_agent_level smallint DEFAULT NULL::smallint, p_passed_on numeric DEFAULT NULL::numeric, p_reverses_id bigint DEFAULT NULL::bigint, p_withdrawal_id bigint DEFAULT NULL::bigint, p_adjustment_id bigint DEFAULT NULL::bigint)
 RETURNS app.bill_entry
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (
    p_uid, p_type, p_source, p_brokerage, p_frozen, p_available, p_order_id, p_basis, p_rate, p_agent_level, p_passed_on, p_reverses_id, p_withdrawal_id,
    p_adjustment_id
  )::app.bill_entry
$function$
