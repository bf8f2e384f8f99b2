create or replace function app.refund_json(p_refund app.refunds)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_refund.id, 'order_id', p_refund.order_id, 'state', p_refund.state, 'reason', p_refund.reason,
    'amount', p_refund.amount::text, 'points', trim_scale(p_refund.points), 'created_at', app.utc(p_refund.created_at), 'decided_at', app.utc(p_refund.decided_at),
    'is_imported', (select o.is_imported from app.orders as o where o.id = p_refund.order_id),
    'provider_state', (
      select r.state from app.provider_refunds as r where r.refund_id = p_refund.id order by r.id desc limit 1
    ),
    'lines', (
      select jsonb_agg(jsonb_build_object('line_id', l.line_id, 'quantity', l.quantity) order by l.line_id)
      from app.refund_lines as l where l.refund_id = p_refund.id
    )
  )
$$;

comment on function app.refund_json is 'Returns a refund with its lines as the API shows it, and its state at the provider of the payment.';

grant execute on function app.refund_json(app.refunds) to authenticated, store_admin;
