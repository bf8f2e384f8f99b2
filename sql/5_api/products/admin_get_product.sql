-- Raises: forbidden, product_not_found.
create or replace function api.admin_get_product(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_product app.products;
begin
  perform app.require_admin();
  select p.* into v_product from app.products as p where p.id = p_id and not p.is_del;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.admin_product_json(v_product);
end
$$;

comment on function api.admin_get_product is 'Returns one product, on sale or not. Serves GET /adminapi/product/{id}.';

grant execute on function api.admin_get_product(bigint) to store_admin;
