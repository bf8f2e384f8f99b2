CREATE OR REPLACE FUNCTION app.barring_reason(p_units integer, p_base numeric, p_below_minimum boolean, p_referrer_uid bigint, p_is_imported boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when p_is_imported then 'imported'
    when p_units = 0 then 'refunded'
    when p_below_minimum then 'below_minimum'
    when p_base = 0 then 'zero_base'
    when p_referrer_uid is null then 'no_referrer'
  end
$function$
