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
    'pay_type', v_order.pay_type, 'pay_ref', v_order.pay_ref, 'plan_version', v_order.plan_version, 'refunds', app.refunds_json(p_id)
  );
end
$$;

comment on function api.admin_get_order is
  'Returns one order with its payment and its refunds, open requests included. Serves GET /adminapi/order/{id}.';

grant execute on function api.admin_get_order(bigint) to store_admin;
