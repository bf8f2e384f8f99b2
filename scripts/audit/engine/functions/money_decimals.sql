CREATE OR REPLACE FUNCTION app.money_decimals()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 2
$function$
