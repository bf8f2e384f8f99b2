-- Security definer: client roles have no write privilege on orders.
-- Locks: the order.
-- Raises: forbidden, own_account, order_not_found, order_state_conflict, order_already_paid, payment_reference_used,
-- invalid_argument.
-- Idempotent: the reference defaults to one that is derived from the order id, so a repeated call is the same payment.
create or replace function api.pay_order_offline(p_order_id bigint, p_pay_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders;
  v_order app.orders;
begin
  perform app.require_admin('money');
  perform app.reject_own_order(p_order_id);
  v_before := app.lock_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.pay_order(p_order_id, 'offline', coalesce(p_pay_ref, 'order-' || p_order_id), null);
  perform app.record_action(
    'pay_order_offline', 'order', p_order_id::text, jsonb_build_object('state', v_before.state),
    jsonb_build_object('state', v_order.state) || case when v_before.paid_at is null then jsonb_build_object('amount', v_order.pay_price::text) else '{}' end
  );
  return app.order_json(v_order);
end
$$;

comment on function api.pay_order_offline is
  'Marks an order as paid offline and returns it. Serves PUT /adminapi/order/{id}/pay.';

grant execute on function api.pay_order_offline(bigint, text) to store_admin;
