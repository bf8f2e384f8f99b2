CREATE OR REPLACE FUNCTION app.amount_left_after_concessions(p_paid numeric, p_quantity integer, p_units integer, p_concessions app.concession[])
 RETURNS numeric
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_cents numeric := trunc(p_paid * 100);
  v_units numeric := p_quantity::numeric;
  v_divisor numeric;
  v_concession app.concession;
begin
  foreach v_concession in array p_concessions loop
    v_cents := v_cents * v_concession.units - trunc(v_concession.amount * 100) * v_units;
    v_units := v_units * v_concession.units;
    v_divisor := gcd(v_cents, v_units);
    v_cents := div(v_cents, v_divisor);
    v_units := div(v_units, v_divisor);
  end loop;
  return div(p_units * v_cents, v_units) * 0.01;
end
$function$
