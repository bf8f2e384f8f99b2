SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION app.record_refund (
  p_order_id   bigint,
  p_state      text,
  p_lines      jsonb,
  p_refund_ref text,
  p_reason     text,
  p_now        timestamp with time zone
)
  RETURNS app.refunds
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_refund app.refunds;
begin
  insert into app.refunds (order_id, state, refund_ref, reason, amount, created_at, decided_at)
  select
    p_order_id, p_state, p_refund_ref, coalesce(p_reason, ''),
    sum(app.amount_left(l.paid, l.quantity, l.refunded_quantity)
      - app.amount_left(l.paid, l.quantity, l.refunded_quantity + i.quantity)),
    p_now, case when p_state <> 'requested' then p_now end
  from app.refund_items(p_order_id, p_lines) as i
  join app.order_lines as l on l.id = i.line_id and l.order_id = p_order_id
  having count(*) > 0
  returning * into v_refund;
  if not found then
    perform app.fail('refund_exceeds_order', 'Nothing of this order is left to refund.');
  end if;
  insert into app.refund_lines (refund_id, line_id, quantity)
  select v_refund.id, i.line_id, i.quantity from app.refund_items(p_order_id, p_lines) as i;
  return v_refund;
end
$function$;

CREATE OR REPLACE FUNCTION app.refund_items (
  p_order_id bigint,
  p_lines    jsonb
)
  RETURNS TABLE (
    line_id  bigint,
    quantity integer
  )
  LANGUAGE plpgsql
  STABLE
  ROWS 5
  SET search_path TO ''
  AS $function$
begin
  if p_lines is null then
    return query
      select l.id, l.quantity - l.refunded_quantity from app.order_lines as l
      where l.order_id = p_order_id and l.quantity > l.refunded_quantity;
    return;
  end if;
  if jsonb_typeof(p_lines) <> 'array' or jsonb_array_length(p_lines) not between 1 and 50 then
    perform app.fail('invalid_argument', 'A refund names between 1 and 50 lines.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i
    where jsonb_typeof(i.value) <> 'object' or coalesce(i.value ->> 'line_id', '') !~ '^[0-9]{1,18}$'
      or coalesce(i.value ->> 'quantity', '') !~ '^[1-9][0-9]{0,3}$'
  ) then
    perform app.fail('invalid_argument', 'Every line of a refund needs a line_id and a quantity between 1 and 9999.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i group by (i.value ->> 'line_id')::bigint having count(*) > 1
  ) then
    perform app.fail('invalid_argument', 'A refund names every line once.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i
    left join app.order_lines as l on l.id = (i.value ->> 'line_id')::bigint and l.order_id = p_order_id
    where l.id is null or (i.value ->> 'quantity')::integer > l.quantity - l.refunded_quantity
  ) then
    perform app.fail('refund_exceeds_order', 'The refund names units that the order does not have or that were refunded before.');
  end if;
  return query
    select (i.value ->> 'line_id')::bigint, (i.value ->> 'quantity')::integer from jsonb_array_elements(p_lines) as i;
end
$function$;
