-- Products.

create or replace function app.product_json(p_product app.products)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_product.id, 'title', p_product.title, 'price', p_product.price::pg_catalog.text, 'freight',
    p_product.freight::pg_catalog.text,
    'is_queue_goods', p_product.is_queue_goods, 'is_show', p_product.is_show, 'add_time', app.utc(p_product.add_time),
    'images', p_product.images, 'stock', p_product.stock, 'category_id', p_product.category_id
  )
$$;

comment on function app.product_json is 'Returns a product in the format of the API, without its description.';

grant execute on function app.product_json(app.products) to anon, authenticated, store_admin;

create or replace function app.admin_product_json(p_product app.products)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.product_json(p_product) || jsonb_build_object(
    'description', p_product.description, 'low_stock', p_product.low_stock, 'poster_design', p_product.poster_design,
    'updated_at', app.utc(p_product.updated_at), 'updated_by', app.actor_json(p_product.updated_by)
  )
$$;

comment on function app.admin_product_json is 'Returns a product as administrators see it.';

grant execute on function app.admin_product_json(app.products) to store_admin;

create or replace function app.image_list(p_texts jsonb)
returns text[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(p_texts) <> 'array' or jsonb_path_exists(p_texts, 'strict $[*] ? (@.type() != "string")') then
    perform app.fail('invalid_argument', 'Images must be a list of URLs.', '/images');
  end if;
  return array(select t.value from jsonb_array_elements_text(p_texts) with ordinality as t order by t.ordinality);
end
$$;

comment on function app.image_list is
  'Returns the texts of a JSON list; null gives an empty one. Raises invalid_argument for any other value.';

create or replace function app.product_record(p_product app.products)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'title', p_product.title, 'price', p_product.price::text, 'freight', p_product.freight::text,
    'is_queue_goods', p_product.is_queue_goods, 'is_show', p_product.is_show, 'stock', p_product.stock,
    'low_stock', p_product.low_stock, 'category_id', p_product.category_id, 'images', p_product.images, 'description',
    p_product.description
  )
$$;

comment on function app.product_record is 'Returns a product for app.record_action.';

create or replace function app.require_cents(p_amount numeric)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if scale(trim_scale(p_amount)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount of money has at most two decimals.');
  end if;
end
$$;

comment on function app.require_cents is
  'Raises invalid_argument if an amount of money has more than two decimals. Null passes.';

create or replace function app.is_low(p_product app.products)
returns boolean
language sql
immutable
as $$
  select coalesce(p_product.stock < p_product.low_stock, false)
$$;

comment on function app.is_low is
  'Returns whether a product has fewer units than its low_stock. An unlimited stock is never low.';

grant execute on function app.is_low(app.products) to store_admin;

-- Locks: the category, for share.
create or replace function app.require_product_category(p_id bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.product_categories as c where c.id = p_id and not c.is_del for share;
  if not found then
    perform app.fail('product_category_not_found');
  end if;
end
$$;

comment on function app.require_product_category is
  'Raises product_category_not_found unless products can be put into this category, and keeps it from being deleted '
  'until the end of the transaction.';
