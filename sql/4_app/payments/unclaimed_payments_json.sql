create or replace function app.unclaimed_payments_json(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'notification_id', n.id, 'provider', n.provider, 'payment_no', n.order_no, 'pay_ref', n.pay_ref, 'amount', n.amount::text,
    'reason', n.reason, 'add_time', app.utc(n.add_time), 'refund_state', app.payment_refund_state(n.provider, n.pay_ref)
  ) order by n.id desc), '[]')
  from (
    select distinct on (p.provider, p.pay_ref) p.*
    from app.payment_notifications as p where p.order_id = p_order_id and p.outcome = 'attention'
    order by p.provider, p.pay_ref, p.id
  ) as n
$$;

comment on function app.unclaimed_payments_json is
  'Returns the payments for an order that could not be applied to it, each once, with the state of their refund.';

grant execute on function app.unclaimed_payments_json(bigint) to store_admin;
