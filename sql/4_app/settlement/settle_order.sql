-- Settles one paid order with queue goods now and returns its settlement; an order settled before is returned as it is.
-- Callers: confirm_receipt, refund_order, administrators. Locks: structure (shared), the order, balances by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict. Safe twice: one settlement row per order.
create or replace function app.settle_order(p_order_id bigint, p_now timestamptz)
returns app.settlements
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_settlement app.settlements;
begin
  perform app.share_structure();
  perform app.settle_orders(array[app.lock_order(p_order_id)], p_now);
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  return v_settlement;
end
$$;
