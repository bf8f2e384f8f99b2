-- PUT /adminapi/order/{id}/deliver: the order has left the store. Security definer: orders are written by functions only.
-- Raises: forbidden, order_not_found, order_state_conflict. Safe twice.
create or replace function api.deliver_order(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_admin();
  -- A statement of its own, so that the answer is read after the change.
  v_order := app.deliver_order(p_order_id, null);
  return app.order_json(v_order);
end
$$;

grant execute on function api.deliver_order(bigint) to store_admin;
