-- Takes all locks of a refund in the one global order (structure, order, balances by uid) and returns the order.
-- Callers: request_refund, refuse_refund, refund_order. Raises: order_not_found, order_state_conflict.
create or replace function app.lock_for_refund(p_order_id bigint)
returns app.orders
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  if v_order.paid_at is null then
    perform app.fail('order_state_conflict', 'Only a paid order can be refunded.');
  end if;
  perform app.lock_balances(app.refund_participants(v_order));
  return v_order;
end
$$;
