-- Security definer: no client role may write orders or notifications.
-- Locks: the order, the payment attempt.
-- Raises: invalid_argument.
-- Idempotent: a repeated notification pays nothing again.
create or replace function api.record_payment_notification(
  p_provider text, p_event_id text, p_kind text, p_fault text default null, p_order_no text default null, p_pay_ref text default null,
  p_amount_minor bigint default null, p_currency text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result record;
begin
  v_result := app.record_payment_notification(
    p_provider, p_event_id, p_kind, p_fault, p_order_no, p_pay_ref, p_amount_minor / 100.0, p_currency, null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$$;

comment on function api.record_payment_notification is
  'Applies a payment notification whose signature the edge function has verified, and returns its outcome and reason (see '
  'app.payment_notifications). p_amount_minor is in the smallest unit of the currency. Serves POST /api/pay/notify/{provider}.';

grant execute on function api.record_payment_notification(text, text, text, text, text, text, bigint, text) to service_role;
