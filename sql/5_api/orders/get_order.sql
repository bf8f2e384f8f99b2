-- Raises: unauthenticated, order_not_found (also for an order of another member).
create or replace function api.get_order(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_id and o.uid = v_uid;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return app.order_json(v_order);
end
$$;

comment on function api.get_order is 'Returns one of the caller''s orders. Serves GET /api/order/{id}.';

grant execute on function api.get_order(bigint) to authenticated, store_admin;
