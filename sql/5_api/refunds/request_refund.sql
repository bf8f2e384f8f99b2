-- POST /api/order/{id}/refund: the caller asks for a refund of units of an order, or of everything left.
-- Security definer: refunds are written by functions only.
-- Raises: unauthenticated, order_not_found and what app.request_refund raises. Safe twice: a second request is refused.
create or replace function api.request_refund(p_order_id bigint, p_lines jsonb default null, p_reason text default '')
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  perform app.require_own_order(p_order_id);
  -- A statement of its own, so that the answer is read after the change.
  v_refund := app.request_refund(p_order_id, p_lines, p_reason, null);
  return app.refund_json(v_refund);
end
$$;

grant execute on function api.request_refund(bigint, jsonb, text) to authenticated, store_admin;
