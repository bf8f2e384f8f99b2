-- Locks: the order.
-- Idempotent: see outcome repeated.
create or replace function app.take_payment(
  p_provider text, p_order_no text, p_pay_ref text, p_amount numeric, p_currency text, p_now timestamptz,
  out order_id bigint, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.order_no = p_order_no for update;
  order_id := v_order.id;
  reason := case
    when v_order.id is null then 'order_unknown'
    when p_pay_ref is null then 'reference_missing'
    when p_currency is distinct from 'CNY' then 'currency_differs'
    when p_amount is distinct from v_order.pay_price then 'amount_differs'
  end;
  if reason is not null then
    outcome := 'refused';
  elsif v_order.pay_type = p_provider and v_order.pay_ref = p_pay_ref then
    outcome := 'repeated';
  else
    begin
      perform app.pay_order(v_order.id, p_provider, p_pay_ref, p_now);
      outcome := 'paid';
    exception when sqlstate 'PT409' then
      outcome := 'attention';
      reason := sqlerrm;
    end;
  end if;
end
$$;

comment on function app.take_payment is
  'Pays the order that a verified payment belongs to. Outcomes: paid; repeated, if this payment already paid the order; '
  'refused, if the payment does not match the order; attention, if money came for an order that cannot take it because it is '
  'cancelled or was paid by another payment.';
