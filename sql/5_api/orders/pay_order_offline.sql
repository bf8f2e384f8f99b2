-- PUT /adminapi/order/{id}/pay: an administrator has seen the money of an offline payment. The reference defaults to the
-- order's own, so that marking it as paid twice is one payment.
-- Security definer: orders are written by functions only. Locks: the order.
-- Raises: forbidden, own_account, order_not_found, order_state_conflict, order_already_paid, payment_reference_used. Safe twice.
create or replace function api.pay_order_offline(p_order_id bigint, p_pay_ref text default null)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders;
  v_order app.orders;
begin
  perform app.require_admin();
  perform app.refuse_own_order(p_order_id);
  v_before := app.lock_order(p_order_id);
  -- A statement of its own, so that the answer is read after the change.
  v_order := app.pay_order(p_order_id, 'offline', coalesce(p_pay_ref, 'order-' || p_order_id), null);
  perform app.record_action(
    'pay_order_offline', 'order', p_order_id::text, jsonb_build_object('state', v_before.state),
    jsonb_build_object('state', v_order.state) || case when v_before.paid_at is null then jsonb_build_object('amount', v_order.pay_price::text) else '{}' end
  );
  return app.order_json(v_order);
end
$$;

grant execute on function api.pay_order_offline(bigint, text) to store_admin;
