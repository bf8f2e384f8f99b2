CREATE OR REPLACE FUNCTION app.amount_left(p_paid numeric, p_quantity integer, p_refunded_quantity integer)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select app.round_down(p_paid * (p_quantity - p_refunded_quantity) / p_quantity, app.money_decimals())
$function$
