create or replace function app.admin_product_json(p_product app.products)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.product_json(p_product) || jsonb_build_object(
    'description', p_product.description, 'updated_at', app.utc(p_product.updated_at), 'updated_by', app.actor_json(p_product.updated_by)
  )
$$;

comment on function app.admin_product_json is
  'Returns a product as administrators see it, with the time and the author of its last change.';

grant execute on function app.admin_product_json(app.products) to store_admin;
