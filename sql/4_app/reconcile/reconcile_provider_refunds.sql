create or replace function app.reconcile_provider_refunds()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'refunding_is_in_the_outbox', format('refund %s', r.refund_no), 'a row of the outbox', 'none'
  from app.provider_refunds as r
  where r.state = 'refunding' and not exists (select from app.outbox as b where b.kind = 'refund_payment' and b.key = r.refund_no)
  union all
  select 'refunds_are_within_the_payment', format('payment %s', r.payment_no), format('at most %s', min(r.total)), sum(r.amount)::text
  from app.provider_refunds as r
  where r.state <> 'failed'
  group by r.provider, r.payment_no, r.pay_ref
  having sum(r.amount) > min(r.total)
  union all
  select 'provider_is_asked_for_the_refund', format('refund %s of order %s', r.id, r.order_id), r.amount::text, 'not asked'
  from app.refunds as r
  join app.orders as o on o.id = r.order_id
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  where r.state = 'refunded' and r.amount > 0 and not exists (select from app.provider_refunds as p where p.refund_id = r.id and p.amount = r.amount)
  union all
  select 'provider_refund_is_paid', format('refund %s', r.refund_no), 'paid or tried again', r.reason
  from app.provider_refunds as r
  where r.state = 'failed' and not exists (
    select from app.provider_refunds as p
    where p.id > r.id and p.provider = r.provider and p.pay_ref = r.pay_ref and p.refund_id is not distinct from r.refund_id
  )
$$;

comment on function app.reconcile_provider_refunds is
  'Finds refunds that a provider is never asked for, that exceed their payment, or that the provider has not paid and that nobody '
  'has tried again.';
