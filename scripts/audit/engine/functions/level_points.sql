CREATE OR REPLACE FUNCTION app.level_points(p_points_per_unit numeric, p_units integer)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select app.round_down(p_points_per_unit * p_units, app.points_decimals())
$function$
