-- Locks: the order, the refund at the provider.
-- Raises: invalid_argument.
-- Idempotent: a decided refund stays as it is.
create or replace function app.record_refund_notification(
  p_provider text, p_event_id text, p_payment_no text, p_pay_ref text, p_amount numeric, p_refund_no text, p_state text, p_provider_ref text,
  p_reason text, p_now timestamptz, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no and r.provider = p_provider;
  if not found then
    outcome := 'ignored';
    reason := 'refund_unknown';
  elsif v_refund.payment_no is distinct from p_payment_no then
    outcome := 'refused';
    reason := 'payment_differs';
  elsif v_refund.amount is distinct from p_amount then
    outcome := 'refused';
    reason := 'amount_differs';
  else
    perform app.record_refund_state(p_refund_no, p_state, p_provider_ref, p_reason, p_now);
    outcome := 'refund';
    reason := coalesce(p_reason, p_state);
  end if;
  perform app.record_notification(p_provider, p_event_id, v_refund.order_id, p_payment_no, p_pay_ref, p_amount, null, outcome, reason, p_now);
end
$$;

comment on function app.record_refund_notification is
  'Processes a verified notification of a refund and records the outcome: refund, with the state of the refund as its reason; '
  'ignored, if the store did not request this refund, such as one made on the pages of the provider; refused, if payment or amount '
  'are not those of the refund. p_payment_no is the number under which the provider knows the payment.';
