create or replace function app.provider_refund_json(p_refund app.provider_refunds)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_refund.id, 'refund_no', p_refund.refund_no, 'order_id', p_refund.order_id, 'refund_id', p_refund.refund_id,
    'provider', p_refund.provider, 'payment_no', p_refund.payment_no, 'pay_ref', p_refund.pay_ref, 'amount', p_refund.amount::text,
    'state', p_refund.state, 'reason', p_refund.reason, 'created_at', app.utc(p_refund.created_at), 'decided_at', app.utc(p_refund.decided_at)
  )
$$;

comment on function app.provider_refund_json is 'Returns a refund at a provider as administrators see it.';

grant execute on function app.provider_refund_json(app.provider_refunds) to store_admin;
