-- Security definer: client roles have no write privilege on refunds.
-- Locks: the order.
-- Raises: forbidden, own_account, refund_not_found, order_state_conflict.
-- Idempotent in effect: a second call raises order_state_conflict and changes nothing.
create or replace function api.retry_provider_refund(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_failed app.provider_refunds;
  v_refund app.provider_refunds;
begin
  perform app.require_admin('money');
  select r.* into v_failed from app.provider_refunds as r where r.id = p_id;
  if not found then
    perform app.fail('refund_not_found');
  end if;
  perform app.reject_own_order(v_failed.order_id);
  perform app.lock_order(v_failed.order_id);
  select r.* into v_failed from app.provider_refunds as r where r.id = p_id;
  if v_failed.state <> 'failed' then
    perform app.fail('order_state_conflict', 'Only a refund that the provider did not pay can be retried.');
  end if;
  begin
    v_refund := app.start_provider_refund(
      v_failed.order_id, v_failed.refund_id, v_failed.provider, v_failed.payment_no, v_failed.pay_ref, v_failed.amount, v_failed.total, clock_timestamp()
    );
  exception when unique_violation then
    perform app.fail('order_state_conflict', 'This refund has already been retried.');
  end;
  perform app.record_action(
    'retry_provider_refund', 'order', v_failed.order_id::text,
    jsonb_build_object('refund_state', v_failed.state), jsonb_build_object('refund_state', v_refund.state)
  );
  return app.provider_refund_json(v_refund);
end
$$;

comment on function api.retry_provider_refund is
  'Requests a refund that the provider did not pay again, with a new number, and returns the new refund. Serves PUT '
  '/adminapi/payment/refund/{id}/retry.';

grant execute on function api.retry_provider_refund(bigint) to store_admin;
