-- Precondition: the caller has locked the order, and the payment was not refunded before.
-- Not idempotent: each call is one more attempt, with a number of its own. A unique index allows one that has not failed.
create or replace function app.start_provider_refund(
  p_order_id bigint, p_refund_id bigint, p_provider text, p_payment_no text, p_pay_ref text, p_amount numeric, p_total numeric, p_now timestamptz
)
returns app.provider_refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  insert into app.provider_refunds (refund_no, order_id, refund_id, provider, payment_no, pay_ref, amount, total, created_at)
  select p_payment_no || '-r' || count(*) + 1, p_order_id, p_refund_id, p_provider, p_payment_no, p_pay_ref, p_amount, p_total, p_now
  from app.provider_refunds as r where r.payment_no = p_payment_no
  returning * into v_refund;
  perform app.add_to_outbox(
    'refund_payment', v_refund.refund_no,
    jsonb_build_object(
      'order_id', p_order_id, 'provider', p_provider, 'attempt_no', p_payment_no, 'refund_no', v_refund.refund_no,
      'amount_minor', (p_amount * 100)::bigint, 'total_minor', (p_total * 100)::bigint
    ),
    p_now, p_now
  );
  return v_refund;
end
$$;

comment on function app.start_provider_refund is
  'Creates a refund of an amount of a payment at its provider, adds the call to the outbox, and returns the refund.';
