-- PUT /adminapi/order/{id}/deliver: the order has left the store. Security definer: orders are written by functions only.
-- Raises: forbidden, order_not_found, order_state_conflict. Safe twice.
create or replace function api.deliver_order(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.require_admin();
  return app.order_json(app.deliver_order(p_order_id, clock_timestamp()));
end
$$;

grant execute on function api.deliver_order(bigint) to store_admin;
