-- PUT /adminapi/order/{id}/refund/refuse: refuses the open refund request of an order.
-- Security definer: refunds are written by functions only. Locks: those of app.refuse_refund.
-- Raises: forbidden, own_account and what app.refuse_refund raises.
create or replace function api.refuse_refund(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin();
  perform app.refuse_own_order(p_order_id);
  v_before := app.refund_state(p_order_id);
  -- A statement of its own, so that the answer is read after the change.
  v_refund := app.refuse_refund(p_order_id, null);
  perform app.record_action(
    'refuse_refund', 'order', p_order_id::text, v_before, app.refund_state(p_order_id) || jsonb_build_object('refund_id', v_refund.id)
  );
  return app.refund_json(v_refund);
end
$$;

grant execute on function api.refuse_refund(bigint) to store_admin;
