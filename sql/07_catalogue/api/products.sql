-- What administrators may call about products.

create or replace function api.admin_get_product(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_product app.products;
begin
  perform app.require_admin(null);
  select p.* into v_product from app.products as p where p.id = p_id and not p.is_del;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.admin_product_json(v_product);
end
$$;

comment on function api.admin_get_product is 'Returns one product, on sale or not. Serves GET /adminapi/product/{id}.';

grant execute on function api.admin_get_product(bigint) to store_admin;

-- Of the keys, only id has an index: a store has few products.
create or replace function api.admin_get_products(
  p_search text default null, p_is_show boolean default null, p_is_queue_goods boolean default null,
  p_category_id bigint default null,
  p_is_low boolean default null, p_page integer default 1, p_limit integer default 20, p_sort text default '-id'
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
  v_sort record;
  v_result jsonb;
begin
  perform app.require_admin(null);
  v_skip := app.check_page(p_page, p_limit);
  v_sort := app.check_sort(p_sort, '{id, title, price, stock}');
  execute format($sql$
    with given as not materialized (
      select $3 as is_show, $4 as is_queue_goods, $5 as found, $6 as category_id, $7 as is_low
    ), matching as not materialized (
      select p.* from app.products as p cross join given as g
      where not p.is_del and (g.is_show is null or p.is_show = g.is_show)
        and (g.is_queue_goods is null or p.is_queue_goods = g.is_queue_goods)
        and (g.found is null or p.id = any (g.found)) and (g.category_id is null or p.category_id = g.category_id)
        and (g.is_low is null or app.is_low(p) = g.is_low)
    )
    select app.list_json(
      jsonb_agg(app.admin_product_json(l) order by l.%1$I %2$s, l.id %2$s), (select count(*) from matching)
    )
    from (select m.* from matching as m order by m.%1$I %2$s, m.id %2$s offset $1 limit $2) as l
  $sql$, v_sort.key, v_sort.direction)
  into v_result
  using v_skip, p_limit, p_is_show, p_is_queue_goods, app.find_products(p_search), p_category_id, p_is_low;
  return v_result;
end
$$;

comment on function api.admin_get_products is
  'Returns one page of the products, on sale or not. An unlimited stock is the largest. A leading - of p_sort is '
  'descending. Serves GET /adminapi/product.';

grant execute on function api.admin_get_products(
  text, boolean, boolean, bigint, boolean, integer, integer, text
) to store_admin;

-- Locks: the category (shared).
create or replace function api.create_product(
  p_title text, p_price numeric, p_freight numeric default 0, p_is_queue_goods boolean default false,
  p_is_show boolean default true,
  p_images jsonb default '[]', p_description text default '', p_stock integer default null,
  p_low_stock integer default 0,
  p_category_id bigint default null, p_poster_design text default null
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
  perform app.require_product_category(p_category_id) where p_category_id is not null;
  insert into app.products (
    title, price, freight, is_queue_goods, is_show, images, description, stock, low_stock, category_id, poster_design,
    updated_by
  )
  values (
    p_title, p_price, p_freight, p_is_queue_goods, p_is_show, app.image_list(p_images), p_description, p_stock,
    p_low_stock, p_category_id, nullif(p_poster_design, ''),
    auth.uid()
  )
  returning * into v_product;
  perform app.record_action(
    'create_product', 'product', v_product.id::text, null, app.product_record(v_product),
    '{price, freight, is_queue_goods, is_show, stock, low_stock, category_id, poster_design}'
  );
  return app.admin_product_json(v_product);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.create_product is
  'Creates a product and returns it. Null as p_stock is unlimited. Serves POST /adminapi/product.';

grant execute on function api.create_product(
  text, numeric, numeric, boolean, boolean, jsonb, text, integer, integer, bigint, text
) to store_admin;

-- Locks: the new category (shared), then the product.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_product(
  p_id bigint, p_title text default null, p_price numeric default null, p_freight numeric default null,
  p_is_queue_goods boolean default null, p_is_show boolean default null,
  p_images jsonb default null, p_description text default null, p_stock integer default null,
  p_is_unlimited boolean default false,
  p_low_stock integer default null, p_category_id bigint default null, p_has_no_category boolean default false,
  p_poster_design text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.products;
  v_product app.products;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_cents(p_price);
  perform app.require_cents(p_freight);
  perform app.require_product_category(p_category_id) where p_category_id is not null;
  select p.* into v_before from app.products as p where p.id = p_id and not p.is_del for update;
  if not found then
    perform app.fail('product_not_found');
  end if;
  update app.products as p
  set title = coalesce(p_title, p.title), price = coalesce(p_price, p.price), freight = coalesce(p_freight, p.freight),
      is_queue_goods = coalesce(p_is_queue_goods, p.is_queue_goods), is_show = coalesce(p_is_show, p.is_show),
      images = case when p_images is null then p.images else app.image_list(p_images) end,
      description = coalesce(p_description, p.description),
      stock = case when p_is_unlimited then null else coalesce(p_stock, p.stock) end,
      low_stock = coalesce(p_low_stock, p.low_stock),
      category_id = case when p_has_no_category then null else coalesce(p_category_id, p.category_id) end,
      poster_design = case when p_poster_design is null then p.poster_design else nullif(p_poster_design, '') end,
      updated_at = clock_timestamp(), updated_by = auth.uid()
  where p.id = p_id
  returning p.* into v_product;
  perform app.record_action(
    'set_product', 'product', p_id::text, app.product_record(v_before), app.product_record(v_product),
    '{price, freight, is_queue_goods, is_show, stock, low_stock, category_id, poster_design}'
  );
  return app.admin_product_json(v_product);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_product is
  'Changes the given fields of a product and returns it; null leaves a field as it is. p_is_unlimited lifts the limit '
  'of the stock, p_has_no_category removes the category. An empty p_poster_design is that of the store. Serves PUT '
  '/adminapi/product/{id}.';

grant execute on function api.set_product(
  bigint, text, numeric, numeric, boolean, boolean, jsonb, text, integer, boolean, integer, bigint, boolean, text
) to store_admin;

-- Locks: the products, by id.
-- Idempotent: a product that is on sale, or not, already stays as it is.
create or replace function api.set_on_sale(p_ids jsonb, p_is_show boolean)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_products app.products[];
  v_before app.products;
  v_product app.products;
  v_changed integer := 0;
begin
  perform app.require_admin('content');
  v_ids := app.require_ids(p_ids);
  if p_is_show is null then
    perform app.fail('invalid_argument', 'Say whether the products are to be on sale.', '/is_show');
  end if;
  v_products := array(
    select p from app.products as p where p.id = any (v_ids) and not p.is_del order by p.id for update
  );
  if cardinality(v_products) < cardinality(v_ids) then
    perform app.fail('product_not_found');
  end if;
  foreach v_before in array v_products loop
    v_product := v_before;
    if v_before.is_show <> p_is_show then
      update app.products as p set is_show = p_is_show, updated_at = clock_timestamp(), updated_by = auth.uid()
      where p.id = v_before.id returning p.* into v_product;
      v_changed := v_changed + 1;
    end if;
    perform app.record_action(
      'set_on_sale', 'product', v_before.id::text, app.product_record(v_before), app.product_record(v_product),
      '{is_show}'
    );
  end loop;
  return jsonb_build_object('changed', v_changed, 'unchanged', cardinality(v_ids) - v_changed);
end
$$;

comment on function api.set_on_sale is
  'Puts products on sale or takes them off, all or none: {changed, unchanged}. Serves PUT /adminapi/product/sale.';

grant execute on function api.set_on_sale(jsonb, boolean) to store_admin;

-- Locks: the product. An order that is being placed holds it until it is there; one that has read the product before is
-- placed, as it is when the product goes off sale.
-- Idempotent: a product is deleted once. A second call raises product_not_found.
create or replace function api.delete_product(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.products;
begin
  perform app.require_admin('content');
  select p.* into v_before from app.products as p where p.id = p_id and not p.is_del for update;
  if not found then
    perform app.fail('product_not_found');
  elsif exists (select from app.order_lines as l where l.product_id = p_id) then
    perform app.fail('product_was_ordered');
  end if;
  update app.products as p
  set is_del = true, is_show = false, updated_at = clock_timestamp(), updated_by = auth.uid()
  where p.id = p_id;
  perform app.record_action(
    'delete_product', 'product', p_id::text, app.product_record(v_before), null, '{price, freight, is_queue_goods, is_show}'
  );
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$$;

comment on function api.delete_product is
  'Marks a product that was never ordered as deleted. Serves DELETE /adminapi/product/{id}.';

grant execute on function api.delete_product(bigint) to store_admin;
