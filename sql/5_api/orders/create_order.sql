-- Security definer: client roles have no write privilege on orders.
-- Locks: an advisory lock of the buyer (see app.limit_unpaid_orders).
-- Raises: unauthenticated, too_many_unpaid_orders, invalid_argument, product_unavailable.
create or replace function api.create_order(p_items jsonb)
returns jsonb
language plpgsql
volatile
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
  -- A separate statement, so that order_json reads the new order.
  v_order := app.create_order(v_uid, p_items, clock_timestamp());
  return app.order_json(v_order);
end
$$;

comment on function api.create_order is
  'Creates an unpaid order of the caller and returns it. p_items is [{"product_id", "quantity"}]; a client cannot set a '
  'discount. Serves POST /api/order.';

grant execute on function api.create_order(jsonb) to authenticated, store_admin;
