-- POST /api/order: an unpaid order of the caller. p_items: [{"product_id", "quantity"}].
-- Security definer: orders are written by functions only. A discount is never taken from a client.
-- Locks: the buyer (see limit_unpaid_orders). Raises: unauthenticated, too_many_unpaid_orders, invalid_argument, product_unavailable.
create or replace function api.create_order(p_items jsonb)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_uid bigint := app.require_uid();
begin
  perform app.limit_unpaid_orders(v_uid);
  if jsonb_path_exists(p_items, '$[*].discount') then
    perform app.fail('invalid_argument', 'An item has a product_id and a quantity, nothing else.');
  end if;
  -- A statement of its own, so that the answer is read after the change.
  v_order := app.create_order(v_uid, p_items, clock_timestamp());
  return app.order_json(v_order);
end
$$;

grant execute on function api.create_order(jsonb) to authenticated, store_admin;
