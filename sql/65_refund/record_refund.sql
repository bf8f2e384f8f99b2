-- Writes a refund and its lines, with what the named units cost.
-- Callers: request_refund, refund_order. Locks: the caller holds the order.
-- Raises: refund_exceeds_order (nothing is left to refund).
create or replace function app.record_refund(
  p_order_id bigint, p_state text, p_lines jsonb, p_refund_ref text, p_reason text, p_now timestamptz
)
returns app.refunds
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  insert into app.refunds (order_id, state, refund_ref, reason, amount, names_units, created_at, decided_at)
  select
    p_order_id, p_state, p_refund_ref, coalesce(p_reason, ''),
    sum(app.amount_left(l.paid, l.quantity, l.refunded_quantity)
      - app.amount_left(l.paid, l.quantity, l.refunded_quantity + i.quantity)),
    p_lines is not null, p_now, case when p_state <> 'requested' then p_now end
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
$$;
