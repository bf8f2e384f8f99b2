-- Raises: forbidden, order_not_found.
create or replace function api.admin_get_order(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_admin();
  select o.* into v_order from app.orders as o where o.id = p_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return app.admin_order_json(v_order) || jsonb_build_object(
    'pay_type', v_order.pay_type, 'pay_ref', v_order.pay_ref, 'plan_version', v_order.plan_version, 'refunds', app.refunds_json(p_id),
    'payment_attempts', (
      select coalesce(jsonb_agg(app.attempt_record(a) order by a.id desc), '[]') from app.payment_attempts as a where a.order_id = p_id
    ),
    'provider_refunds', (
      select coalesce(jsonb_agg(app.provider_refund_json(r) order by r.id desc), '[]') from app.provider_refunds as r where r.order_id = p_id
    ),
    'unclaimed_payments', app.unclaimed_payments_json(p_id), 'expires_at', app.utc(app.order_expires_at(v_order))
  );
end
$$;

comment on function api.admin_get_order is
  'Returns one order with its payment attempts, its payment, its refunds (open requests included), their state at the provider, '
  'and the payments that could not be applied to it. Serves GET /adminapi/order/{id}.';

grant execute on function api.admin_get_order(bigint) to store_admin;
