-- Locks: the order, the attempt.
-- Raises: invalid_argument.
-- Idempotent: a repeated payment has the outcome repeated and changes no order.
create or replace function app.record_payment_notification(
  p_provider text, p_event_id text, p_kind text, p_fault text, p_order_no text, p_pay_ref text, p_amount numeric, p_currency text,
  p_now timestamptz, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order_id bigint;
begin
  if p_fault is not null then
    outcome := 'refused';
    reason := p_fault;
  elsif p_kind = 'payment' then
    select t.order_id, t.outcome, t.reason into v_order_id, outcome, reason
    from app.take_payment(p_provider, p_order_no, p_pay_ref, p_amount, p_currency, p_now) as t;
  else
    outcome := 'ignored';
    reason := 'not_a_payment';
  end if;

  -- A payment that was found by a query has no event. The first response is recorded.
  if p_event_id is null and p_fault is null and outcome = 'repeated' then
    return;
  end if;
  perform app.record_notification(p_provider, p_event_id, v_order_id, p_order_no, p_pay_ref, p_amount, p_currency, outcome, reason, p_now);
end
$$;

comment on function app.record_payment_notification is
  'Processes a verified payment notification, or the response of the provider to a query of the payment (p_event_id null), and '
  'records the outcome. p_order_no is the number of an attempt, or of the order. p_kind is payment, or other for a notification '
  'that needs no action. p_fault is what the edge function found wrong beyond the signature, such as the id of another merchant.';
