-- Security definer: no client role may write withdrawals or notifications.
-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Raises: invalid_argument.
-- Idempotent: a withdrawal that has ended stays as it is.
create or replace function api.record_transfer_notification(
  p_provider text, p_event_id text, p_withdrawal_no text, p_openid text, p_amount_minor bigint, p_state text,
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
  v_result := app.record_transfer_notification(
    p_provider, p_event_id, p_withdrawal_no, p_openid, p_amount_minor / 100.0, p_state, left(p_provider_ref, 128), left(p_reason, 128), null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$$;

comment on function api.record_transfer_notification is
  'Applies a notification of a transfer whose signature the edge function has verified, and returns its outcome and reason (see '
  'app.payment_notifications). p_amount_minor is in the smallest unit of the currency. Serves POST /api/pay/notify/{provider}.';

grant execute on function api.record_transfer_notification(text, text, text, text, bigint, text, text, text) to service_role;
