CREATE OR REPLACE FUNCTION app.line_left(p_paid numeric, p_quantity integer, p_refunded_quantity integer, p_concessions app.concession[])
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when p_concessions is null then app.amount_left(p_paid, p_quantity, p_refunded_quantity)
    else app.amount_left_after_concessions(p_paid, p_quantity, p_quantity - p_refunded_quantity, p_concessions)
  end
$function$
