-- Precondition: the caller has locked the order. A payment attempt that is paid never changes and needs no lock.
-- Not idempotent: see app.start_provider_refund.
create or replace function app.refund_at_provider(p_refund app.refunds, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.start_provider_refund(o.id, p_refund.id, a.provider, a.attempt_no, a.pay_ref, p_refund.amount, a.amount, p_now)
  from app.orders as o
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  where o.id = p_refund.order_id and p_refund.amount > 0;
end
$$;

comment on function app.refund_at_provider is
  'Requests a refund of an order from the provider of its payment. Orders that were paid offline, or by a payment that the store did not '
  'start, are paid back by an administrator, outside the store.';
