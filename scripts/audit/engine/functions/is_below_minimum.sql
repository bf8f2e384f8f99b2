CREATE OR REPLACE FUNCTION app.is_below_minimum(p_base numeric, p_minimum_base numeric)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select p_base < p_minimum_base
$function$
