CREATE OR REPLACE FUNCTION app.umbrella_share(p_umbrella_points numeric, p_passed_on numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select greatest(p_umbrella_points - p_passed_on, 0)
$function$
