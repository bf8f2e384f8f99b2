-- PUT /api/order/{id}/cancel: the caller no longer wants an unpaid order. Security definer: orders are written by
-- functions only. Raises: unauthenticated, order_not_found, order_state_conflict. Safe twice.
create or replace function api.cancel_order(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  -- A statement of its own, so that the answer is read after the change.
  v_order := app.cancel_order(p_order_id, null);
  return app.order_json(v_order);
end
$$;

grant execute on function api.cancel_order(bigint) to authenticated, store_admin;
