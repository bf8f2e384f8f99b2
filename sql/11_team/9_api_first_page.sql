-- What visitors and members see of the first page of the app.

create or replace function api.get_first_page()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_featured constant app.products[] := array(
    select p from app.featured_products as f join app.products_on_sale(null, null) as p on p.id = f.product_id order by f.rank
  );
begin
  return jsonb_build_object(
    'banners', (
      select coalesce(jsonb_agg(jsonb_build_object('image', b.image, 'title', b.title, 'product_id', b.product_id) order by b.rank), '[]')
      from app.banners as b
      where b.product_id is null or exists (select from app.products_on_sale(array[b.product_id], null))
    ),
    'featured', app.products_json(v_featured),
    'categories', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title) order by c.rank, c.id), '[]')
      from app.product_categories as c
      where not c.is_del and exists (select from app.products_on_sale(null, c.id))
    )
  );
end
$$;

comment on function api.get_first_page is
  'Returns the banners, the featured products and the categories of products, each in its sequence and as far as there are products on sale, to a member with '
  'what each product would pay the member. Serves GET /api/first_page.';

grant execute on function api.get_first_page() to anon, authenticated, store_admin;
