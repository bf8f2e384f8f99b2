-- Has no search path of its own, so that the planner can inline it.
create or replace function app.product_json(p_product app.products)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_product.id, 'title', p_product.title, 'price', p_product.price::pg_catalog.text, 'freight', p_product.freight::pg_catalog.text,
    'is_queue_goods', p_product.is_queue_goods, 'is_show', p_product.is_show, 'add_time', app.utc(p_product.add_time),
    'images', p_product.images, 'stock', p_product.stock
  )
$$;

comment on function app.product_json is 'Returns a product in the format of the API, without its description.';

grant execute on function app.product_json(app.products) to anon, authenticated, store_admin;
