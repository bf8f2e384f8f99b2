-- Raises: product_not_found.
create or replace function api.get_product(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_product app.products;
begin
  select p.* into v_product from app.products as p where p.id = p_id and p.is_show and not p.is_del;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.product_json(v_product) || jsonb_build_object(
    'description', v_product.description, 'you_would_earn', app.you_would_earn(array[v_product]) -> v_product.id::text
  );
end
$$;

comment on function api.get_product is
  'Returns one product that is on sale, to a member with what it would pay the member (app.you_would_earn). Serves GET '
  '/api/product/{id}.';

grant execute on function api.get_product(bigint) to anon, authenticated, store_admin;
