-- Security definer: client roles have no write privilege on refunds.
-- Locks: structure (shared), the order, balances by uid.
-- Raises: forbidden, own_account and what app.refuse_refund raises.
-- Idempotent in effect: a second call raises refund_not_found and changes nothing.
create or replace function api.refuse_refund(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  v_before := app.refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refuse_refund(p_order_id, null);
  perform app.record_action(
    'refuse_refund', 'order', p_order_id::text, v_before, app.refund_state(p_order_id) || jsonb_build_object('refund_id', v_refund.id)
  );
  return app.refund_json(v_refund);
end
$$;

comment on function api.refuse_refund is
  'Refuses the open refund request of an order and returns it. Serves PUT /adminapi/order/{id}/refund/refuse.';

grant execute on function api.refuse_refund(bigint) to store_admin;
