-- Security definer: client roles have no write privilege on products.
-- Raises: forbidden, invalid_argument.
create or replace function api.create_product(
  p_title text, p_price numeric, p_freight numeric default 0, p_is_queue_goods boolean default false, p_is_show boolean default true,
  p_images jsonb default '[]', p_description text default '', p_stock integer default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_product app.products;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_cents(p_price);
  perform app.require_cents(p_freight);
  insert into app.products (title, price, freight, is_queue_goods, is_show, images, description, stock, updated_by)
  values (p_title, p_price, p_freight, p_is_queue_goods, p_is_show, app.image_list(p_images), p_description, p_stock, auth.uid())
  returning * into v_product;
  perform app.record_action(
    'create_product', 'product', v_product.id::text, null, app.product_record(v_product), '{price, freight, is_queue_goods, is_show, stock}'
  );
  return app.admin_product_json(v_product);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.create_product is
  'Creates a product and returns it. Prices have two decimals. Without p_stock, the stock is unlimited. Serves POST '
  '/adminapi/product.';

grant execute on function api.create_product(text, numeric, numeric, boolean, boolean, jsonb, text, integer) to store_admin;
