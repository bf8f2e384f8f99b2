-- GET /adminapi/order/{id}/settlement: who was paid what for an order, and why; see app.explain_order.
-- Security definer: explains from tables and functions that no client role reads. Raises: forbidden, order_not_found.
create or replace function api.get_settlement(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.explain_order(p_order_id);
end
$$;

grant execute on function api.get_settlement(bigint) to store_admin;
