-- Security definer: client roles have no write privilege on orders.
-- Locks: structure (shared), the order, balances by uid.
-- Raises: unauthenticated, order_not_found, order_state_conflict, import_unfinished (if it settles).
-- Idempotent: a received order stays as it is.
create or replace function api.confirm_receipt(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.confirm_receipt(p_order_id, null);
  return app.order_json(v_order);
end
$$;

comment on function api.confirm_receipt is
  'Confirms that the caller has received an order and returns it. With the timing confirm, this settles the order in the same '
  'transaction (R2, R3). Serves PUT /api/order/{id}/receive.';

grant execute on function api.confirm_receipt(bigint) to authenticated, store_admin;
