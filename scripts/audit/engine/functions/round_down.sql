CREATE OR REPLACE FUNCTION app.round_down(p_value numeric, p_decimals integer)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select pg_catalog.trunc(p_value, p_decimals)
$function$
