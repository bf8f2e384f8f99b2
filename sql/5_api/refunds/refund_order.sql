-- Security definer: client roles have no write privilege on refunds.
-- Locks: structure (shared), the order, the products with a limited stock, balances by uid.
-- Raises: forbidden, own_account and what app.refund_order raises.
-- Idempotent with p_refund_ref: the same reference returns the same refund.
create or replace function api.refund_order(p_order_id bigint, p_lines jsonb default null, p_refund_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  v_before := app.refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refund_order(p_order_id, p_lines, p_refund_ref, null);
  v_after := app.refund_state(p_order_id);
  if v_after <> v_before then
    v_after := v_after || jsonb_build_object('refund_id', v_refund.id);
  end if;
  perform app.record_action('refund_order', 'order', p_order_id::text, v_before, v_after);
  return app.refund_json(v_refund);
end
$$;

comment on function api.refund_order is
  'Refunds units of an order and returns the refund. With p_lines null it refunds the units of the open request, or, without a '
  'request, all that is left. Serves PUT /adminapi/order/{id}/refund.';

grant execute on function api.refund_order(bigint, jsonb, text) to store_admin;
