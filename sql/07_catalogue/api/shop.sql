-- What clients see of the shop: products with what members would earn, and the first page of the app.

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
  'Returns one product on sale, to a member with app.you_would_earn. Serves GET /api/product/{id}.';

grant execute on function api.get_product(bigint) to anon, authenticated, store_admin;

create or replace function app.products_json(p_products app.products[])
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_earnings constant jsonb := app.you_would_earn(p_products);
begin
  return (
    select coalesce(jsonb_agg(
      app.product_json(p_products[i]) || jsonb_build_object('you_would_earn', v_earnings -> (p_products[i]).id::text)
      order by i
    ), '[]')
    from generate_subscripts(p_products, 1) as i
  );
end
$$;

comment on function app.products_json is
  'Returns products in the format of the API and in the given sequence, to a member with app.you_would_earn.';

grant execute on function app.products_json(app.products[]) to anon, authenticated, store_admin;

-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function api.get_products(
  p_search text default null, p_category_id bigint default null, p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_found bigint[] := app.find_products(p_search);
  v_products app.products[] := array(
    select p from app.products_on_sale(v_found, p_category_id) as p order by p.id desc offset v_skip limit p_limit
  );
begin
  return app.list_json(
    app.products_json(v_products), (select count(*) from app.products_on_sale(v_found, p_category_id))
  );
end
$$;

comment on function api.get_products is
  'Returns one page of the products on sale, newest first (app.products_json). Serves GET /api/product.';

grant execute on function api.get_products(text, bigint, integer, integer) to anon, authenticated, store_admin;

create or replace function api.get_first_page()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_featured constant app.products[] := array(
    select p from app.featured_products as f join app.products_on_sale(null, null) as p on p.id = f.product_id
    order by f.rank
  );
begin
  return jsonb_build_object(
    'banners', (
      select coalesce(
        jsonb_agg(jsonb_build_object('image', b.image, 'title', b.title, 'product_id', b.product_id) order by b.rank),
        '[]'
      )
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
  'Returns {banners, featured, categories}, each in its sequence and as far as there are products on sale. Serves GET '
  '/api/first_page.';

grant execute on function api.get_first_page() to anon, authenticated, store_admin;
