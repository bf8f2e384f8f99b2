-- PUT /api/order/{id}/cancel: the caller no longer wants an unpaid order. Security definer: orders are written by
-- functions only. Raises: unauthenticated, order_not_found, order_state_conflict. Safe twice.
create or replace function api.cancel_order(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.require_own_order(p_order_id);
  return app.order_json(app.cancel_order(p_order_id, clock_timestamp()));
end
$$;

grant execute on function api.cancel_order(bigint) to authenticated, store_admin;
