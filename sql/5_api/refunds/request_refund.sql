-- Security definer: client roles have no write privilege on refunds.
-- Locks: structure (shared), the order, balances by uid.
-- Raises: unauthenticated, order_not_found and what app.request_refund raises.
-- Idempotent in effect while the request is open: another one raises refund_state_conflict and changes nothing.
create or replace function api.request_refund(p_order_id bigint, p_lines jsonb default null, p_reason text default '')
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that refund_json reads the new refund.
  v_refund := app.request_refund(p_order_id, p_lines, p_reason, null);
  return app.refund_json(v_refund);
end
$$;

comment on function api.request_refund is
  'Requests a refund of units of one of the caller''s orders and returns it. With p_lines null it requests all that is left. '
  'Serves POST /api/order/{id}/refund.';

grant execute on function api.request_refund(bigint, jsonb, text) to authenticated, store_admin;
