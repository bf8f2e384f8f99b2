-- Security definer: client roles have no write privilege on refunds.
-- Locks: the order.
-- Raises: forbidden, own_account, payment_not_found.
-- Idempotent: a payment that is being refunded, or was, is returned unchanged.
create or replace function api.refund_payment(p_notification_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_payment app.payment_notifications;
  v_refund app.provider_refunds;
  v_before jsonb;
begin
  perform app.require_admin('money');
  select n.* into v_payment from app.payment_notifications as n where n.id = p_notification_id and n.outcome = 'attention';
  if not found then
    perform app.fail('payment_not_found', 'Only a payment that could not be applied to an order can be refunded here.');
  end if;
  perform app.reject_own_order(v_payment.order_id);
  perform app.lock_order(v_payment.order_id);
  select r.* into v_refund from app.provider_refunds as r
  where r.provider = v_payment.provider and r.pay_ref = v_payment.pay_ref and r.refund_id is null order by r.id desc limit 1;
  v_before := jsonb_build_object('refund_state', v_refund.state);
  if v_refund.id is null or v_refund.state = 'failed' then
    v_refund := app.start_provider_refund(
      v_payment.order_id, null, v_payment.provider, v_payment.order_no, v_payment.pay_ref, v_payment.amount, v_payment.amount, clock_timestamp()
    );
  end if;
  perform app.record_action(
    'refund_payment', 'order', v_payment.order_id::text, v_before, jsonb_build_object('refund_state', v_refund.state)
  );
  return app.provider_refund_json(v_refund);
end
$$;

comment on function api.refund_payment is
  'Requests the refund of a whole unclaimed payment (a notification with the outcome attention) from its provider, and returns '
  'the refund. A refund that failed is requested again with a new number. Serves PUT /adminapi/payment/notification/{id}/refund.';

grant execute on function api.refund_payment(bigint) to store_admin;
