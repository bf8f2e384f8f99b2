-- POST /api/pay/notify/{provider}, once the edge function has verified who speaks. The amount is in the smallest unit of
-- the currency, as providers send it. Answers what came of it: see app.payment_notifications.
-- Security definer: orders and notifications are written by functions only. Raises: invalid_argument. Safe twice.
create or replace function api.record_payment_notification(
  p_provider text, p_event_id text, p_kind text, p_fault text default null, p_order_no text default null, p_pay_ref text default null,
  p_amount_minor bigint default null, p_currency text default null
)
returns jsonb
language plpgsql
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

grant execute on function api.record_payment_notification(text, text, text, text, text, text, bigint, text) to service_role;
