-- What administrators may call about the categories of products.

create or replace function app.product_category_json(p_category app.product_categories)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_category.id, 'title', p_category.title, 'products', count(p.id), 'products_on_sale',
    count(p.id) filter (where p.is_show),
    'add_time', app.utc(p_category.add_time), 'updated_at', app.utc(p_category.updated_at), 'updated_by',
    app.actor_json(p_category.updated_by)
  )
  from app.products as p where p.category_id = p_category.id and not p.is_del
$$;

comment on function app.product_category_json is 'Returns a category of products as administrators see it.';

grant execute on function app.product_category_json(app.product_categories) to store_admin;

create or replace function api.admin_get_product_categories()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return (
    select app.list_json(jsonb_agg(app.product_category_json(c) order by c.rank, c.id), count(*))
    from app.product_categories as c where not c.is_del
  );
end
$$;

comment on function api.admin_get_product_categories is
  'Returns all categories of products, at most 100, in their sequence. Serves GET /adminapi/product_category.';

grant execute on function api.admin_get_product_categories() to store_admin;

-- Locks: the table of categories against other writers, so that two calls cannot exceed the limit.
create or replace function api.create_product_category(p_title text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_category app.product_categories;
  v_constraint text;
begin
  perform app.require_admin('content');
  lock table app.product_categories in share row exclusive mode;
  if (select count(*) from app.product_categories as c where not c.is_del) >= 100 then
    perform app.fail('invalid_argument', 'There are at most 100 categories of products.');
  end if;
  insert into app.product_categories (title, rank, updated_by)
  values (
    p_title, (select coalesce(max(c.rank), 0) + 1 from app.product_categories as c where not c.is_del), auth.uid()
  )
  returning * into v_category;
  perform app.record_action(
    'create_product_category', 'product_category', v_category.id::text, null,
    jsonb_build_object('title', v_category.title), '{}'
  );
  return app.product_category_json(v_category);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.create_product_category is
  'Creates a category of products, the last one, and returns it. Serves POST /adminapi/product_category.';

grant execute on function api.create_product_category(text) to store_admin;

-- Locks: the category.
-- Idempotent: a repeated call leaves the same title.
create or replace function api.set_product_category(p_id bigint, p_title text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.product_categories;
  v_category app.product_categories;
  v_constraint text;
begin
  perform app.require_admin('content');
  select c.* into v_before from app.product_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('product_category_not_found');
  end if;
  update app.product_categories as c set title = p_title, updated_at = clock_timestamp(), updated_by = auth.uid()
  where c.id = p_id
  returning c.* into v_category;
  perform app.record_action(
    'set_product_category', 'product_category', p_id::text, jsonb_build_object('title', v_before.title),
    jsonb_build_object('title', v_category.title), '{}'
  );
  return app.product_category_json(v_category);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_product_category is
  'Renames a category of products and returns it. Serves PUT /adminapi/product_category/{id}.';

grant execute on function api.set_product_category(bigint, text) to store_admin;

-- Locks: the categories, by id.
-- Idempotent: the same sequence again changes nothing.
create or replace function api.sort_product_categories(p_ids jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_before bigint[];
begin
  perform app.require_admin('content');
  v_ids := app.require_sequence(p_ids, 100, '/ids');
  perform from app.product_categories as c where not c.is_del order by c.id for no key update;
  v_before := array(select c.id from app.product_categories as c where not c.is_del order by c.rank, c.id);
  if not (v_ids @> v_before and v_ids <@ v_before) then
    perform app.fail('changed_meanwhile', 'The categories have changed. Read them again and sort all of them.');
  end if;
  update app.product_categories as c set rank = s.rank, updated_at = clock_timestamp(), updated_by = auth.uid()
  from unnest(v_ids) with ordinality as s (id, rank)
  where c.id = s.id and c.rank <> s.rank;
  perform app.record_action(
    'sort_product_categories', 'first_page', null, jsonb_build_object('sequence', v_before),
    jsonb_build_object('sequence', v_ids)
  );
  return api.admin_get_product_categories();
end
$$;

comment on function api.sort_product_categories is
  'Gives all categories of products a new sequence and returns them. Raises changed_meanwhile unless p_ids names each '
  'of them. Serves PUT /adminapi/product_category/sequence.';

grant execute on function api.sort_product_categories(jsonb) to store_admin;

-- Locks: the category, which a transaction that puts a product into it holds in shared mode.
-- Idempotent: a category is deleted once. A second call raises product_category_not_found.
create or replace function api.delete_product_category(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.product_categories;
begin
  perform app.require_admin('content');
  select c.* into v_before from app.product_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('product_category_not_found');
  elsif exists (select from app.products as p where p.category_id = p_id and not p.is_del) then
    perform app.fail('product_category_in_use');
  end if;
  update app.product_categories as c set is_del = true, updated_at = clock_timestamp(), updated_by = auth.uid()
  where c.id = p_id;
  perform app.record_action(
    'delete_product_category', 'product_category', p_id::text, jsonb_build_object('rank', v_before.rank), null
  );
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$$;

comment on function api.delete_product_category is
  'Marks a category without products as deleted. Serves DELETE /adminapi/product_category/{id}.';

grant execute on function api.delete_product_category(bigint) to store_admin;
