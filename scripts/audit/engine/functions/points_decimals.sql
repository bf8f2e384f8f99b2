CREATE OR REPLACE FUNCTION app.points_decimals()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 4
$function$
