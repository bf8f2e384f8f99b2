create or replace function app.payment_refund_state(p_provider text, p_pay_ref text)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select r.state from app.provider_refunds as r
  where r.provider = p_provider and r.pay_ref = p_pay_ref and r.refund_id is null order by r.id desc limit 1
$$;

comment on function app.payment_refund_state is
  'Returns the state of the refund of an unclaimed payment at its provider; null if no refund was requested.';

grant execute on function app.payment_refund_state(text, text) to store_admin;
