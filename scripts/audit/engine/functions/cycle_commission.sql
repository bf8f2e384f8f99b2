CREATE OR REPLACE FUNCTION app.cycle_commission(p_base numeric, p_rate numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select app.round_down(p_base * p_rate, app.money_decimals())
$function$
