-- Security definer: client roles have no write privilege on orders.
-- Locks: an advisory lock of the buyer (see app.limit_unpaid_orders), the products with a limited stock; with
-- p_use_points, the balances of the caller.
-- Raises: unauthenticated, too_many_unpaid_orders, invalid_argument, product_unavailable, out_of_stock, price_changed,
-- address_not_found.
create or replace function api.create_order(
  p_items jsonb, p_address_id bigint default null, p_address jsonb default null, p_remark text default '', p_expected_price numeric default null,
  p_use_points numeric default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_uid bigint := app.require_uid();
  v_address jsonb := p_address;
begin
  perform app.limit_unpaid_orders(v_uid);
  perform app.reject_discounts(p_items);
  if p_address_id is not null and p_address is not null then
    perform app.fail('invalid_argument', 'Send either address_id or address, not both.', '/address_id');
  end if;
  if p_address_id is not null then
    v_address := app.own_address(v_uid, p_address_id);
  end if;
  -- A separate statement, so that order_json reads the new order.
  v_order := app.create_order(v_uid, p_items, null, v_address, p_remark, p_expected_price, p_use_points);
  return app.order_json(v_order);
end
$$;

comment on function api.create_order is
  'Creates an unpaid order of the caller and returns it. p_items is [{"product_id", "quantity"}]; a client cannot set a '
  'discount. The order copies the address of p_address_id, or p_address. With p_expected_price, an order that costs another '
  'amount is rejected. p_use_points is the most points to use. Serves POST /api/order.';

grant execute on function api.create_order(jsonb, bigint, jsonb, text, numeric, numeric) to authenticated, store_admin;
