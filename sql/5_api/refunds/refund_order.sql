-- PUT /adminapi/order/{id}/refund: refunds units of an order (null: those asked for, or everything left).
-- Security definer: refunds are written by functions only. Locks: those of app.refund_order.
-- Raises: forbidden, own_account and what app.refund_order raises.
-- Safe twice: by the reference.
create or replace function api.refund_order(p_order_id bigint, p_lines jsonb default null, p_refund_ref text default null)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin();
  perform app.refuse_own_order(p_order_id);
  v_before := app.refund_state(p_order_id);
  -- A statement of its own, so that the answer is read after the change.
  v_refund := app.refund_order(p_order_id, p_lines, p_refund_ref, null);
  v_after := app.refund_state(p_order_id);
  if v_after <> v_before then
    v_after := v_after || jsonb_build_object('refund_id', v_refund.id);
  end if;
  perform app.record_action('refund_order', 'order', p_order_id::text, v_before, v_after);
  return app.refund_json(v_refund);
end
$$;

grant execute on function api.refund_order(bigint, jsonb, text) to store_admin;
