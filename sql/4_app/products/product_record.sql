create or replace function app.product_record(p_product app.products)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'title', p_product.title, 'price', p_product.price::text, 'freight', p_product.freight::text,
    'is_queue_goods', p_product.is_queue_goods, 'is_show', p_product.is_show, 'stock', p_product.stock,
    'images', p_product.images, 'description', p_product.description
  )
$$;

comment on function app.product_record is 'Returns a product in the form that app.record_action compares and keeps.';
