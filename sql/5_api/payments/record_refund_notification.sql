-- Security definer: no client role may write refunds or notifications.
-- Locks: the order, the refund at the provider.
-- Raises: invalid_argument.
-- Idempotent: a decided refund stays as it is.
create or replace function api.record_refund_notification(
  p_provider text, p_event_id text, p_payment_no text, p_pay_ref text, p_amount_minor bigint, p_refund_no text, p_state text,
  p_provider_ref text default null, p_reason text default null
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
  v_result := app.record_refund_notification(
    p_provider, p_event_id, p_payment_no, p_pay_ref, p_amount_minor / 100.0, p_refund_no, p_state, left(p_provider_ref, 128), left(p_reason, 128), null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$$;

comment on function api.record_refund_notification is
  'Applies a notification of a refund whose signature the edge function has verified, and returns its outcome and reason (see '
  'app.payment_notifications). p_amount_minor is in the smallest unit of the currency. Serves POST /api/pay/notify/{provider}.';

grant execute on function api.record_refund_notification(text, text, text, text, bigint, text, text, text, text) to service_role;
