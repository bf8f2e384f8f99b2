-- Locks: the order, the attempt.
-- Raises: invalid_argument.
-- Idempotent: see outcome repeated.
create or replace function app.take_payment(
  p_provider text, p_payment_no text, p_pay_ref text, p_amount numeric, p_currency text, p_now timestamptz,
  out order_id bigint, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts;
  v_order app.orders;
begin
  select a.* into v_attempt from app.payment_attempts as a where a.attempt_no = p_payment_no;
  order_id := coalesce(v_attempt.order_id, (select o.id from app.orders as o where o.order_no = p_payment_no));
  select o.* into v_order from app.orders as o where o.id = take_payment.order_id for update;
  select a.* into v_attempt from app.payment_attempts as a where a.id = v_attempt.id for update;
  reason := case
    when v_order.id is null then 'order_unknown'
    when v_attempt.provider <> p_provider then 'provider_differs'
    when p_pay_ref is null then 'reference_missing'
    when p_currency is distinct from 'CNY' then 'currency_differs'
    when p_amount is distinct from v_order.pay_price then 'amount_differs'
  end;
  if reason is not null then
    outcome := 'refused';
  elsif v_order.pay_type = p_provider and v_order.pay_ref = p_pay_ref then
    outcome := 'repeated';
  elsif v_attempt.state <> 'open' and v_order.state = 'unpaid' then
    outcome := 'attention';
    reason := 'attempt_' || case v_attempt.state when 'paid' then 'closed' else v_attempt.state end;
  else
    begin
      perform app.pay_order(v_order.id, p_provider, p_pay_ref, p_now);
      outcome := 'paid';
    exception when sqlstate 'PT409' then
      outcome := 'attention';
      reason := sqlerrm;
    end;
  end if;
  perform app.record_paid_attempt(v_attempt, p_pay_ref, p_now) where outcome <> 'refused' and v_attempt.state <> 'paid';
end
$$;

comment on function app.take_payment is
  'Applies a verified payment to its order. p_payment_no is the number of an attempt, or of the order. Outcomes: paid; repeated, '
  'if this payment already paid the order; refused, if the payment does not match the order; attention, if the attempt had '
  'ended, or if the order is cancelled or was paid by another payment.';
