-- Raises: unauthenticated, order_not_found (also for an order of another member).
create or replace function api.get_refunds(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_list jsonb;
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
  v_list := app.refunds_json(p_order_id);
  return jsonb_build_object('list', v_list, 'count', jsonb_array_length(v_list));
end
$$;

comment on function api.get_refunds is
  'Returns the refunds of one of the caller''s orders, newest first, with their states. Serves GET /api/order/{id}/refund.';

grant execute on function api.get_refunds(bigint) to authenticated, store_admin;
