-- Settles one paid order with queue goods now and returns its settlement; an order settled before is returned as it is.
-- Callers: confirm_receipt, refund_order, administrators. Locks: structure (shared), the order, participants by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict. Safe twice: one settlement row per order.
create or replace function app.settle_order(p_order_id bigint, p_now timestamptz)
returns app.settlements
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  perform app.lock_balances(app.order_participants(v_order));
  return app.settle_locked_order(v_order, app.moment(p_now));
end
$$;
