CREATE OR REPLACE FUNCTION app.is_counted(p_units integer, p_refund_status smallint, p_below_minimum boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select p_units > 0 and p_refund_status in (0, 3) and not p_below_minimum
$function$
