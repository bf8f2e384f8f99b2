-- Security definer: client roles have no write privilege on orders.
-- Locks: the order, the products with a limited stock; if points paid for it, the balances of the caller.
-- Raises: unauthenticated, order_not_found, order_state_conflict.
-- Idempotent: a cancelled order stays as it is.
create or replace function api.cancel_order(p_order_id bigint)
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
  v_order := app.cancel_order(p_order_id, null);
  return app.order_json(v_order);
end
$$;

comment on function api.cancel_order is
  'Cancels one of the caller''s unpaid orders and returns it. Serves PUT /api/order/{id}/cancel.';

grant execute on function api.cancel_order(bigint) to authenticated, store_admin;
