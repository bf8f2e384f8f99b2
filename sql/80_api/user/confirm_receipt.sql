-- PUT /api/order/{id}/receive: the caller has received the order; with timing confirm this settles it (R2, R3).
-- Security definer: orders are written by functions only.
-- Raises: unauthenticated, order_not_found, order_state_conflict. Safe twice.
create or replace function api.confirm_receipt(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.require_own_order(p_order_id);
  return app.order_json(app.confirm_receipt(p_order_id, clock_timestamp()));
end
$$;

grant execute on function api.confirm_receipt(bigint) to authenticated, store_admin;
