CREATE OR REPLACE FUNCTION app.commission_points(p_commission numeric, p_points_per_brokerage numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select app.round_down(p_commission * p_points_per_brokerage, app.points_decimals())
$function$
