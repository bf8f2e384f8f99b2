-- What administrators may call about the first page of the app.

create or replace function app.first_page_record()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'banners', (
      select coalesce(
        jsonb_agg(jsonb_build_object('image', b.image, 'title', b.title, 'product_id', b.product_id) order by b.rank),
        '[]'
      )
      from app.banners as b
    ),
    'featured', (select coalesce(jsonb_agg(f.product_id order by f.rank), '[]') from app.featured_products as f)
  )
$$;

comment on function app.first_page_record is 'Returns banners and featured products for app.record_action.';

create or replace function app.product_reference_json(p_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('id', p.id, 'title', p.title, 'image', p.images[1], 'is_show', p.is_show and not p.is_del)
  from app.products as p where p.id = p_id
$$;

comment on function app.product_reference_json is
  'Returns {id, title, image, is_show} of a product; is_show: it is on sale.';

grant execute on function app.product_reference_json(bigint) to store_admin;

create or replace function api.admin_get_first_page()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return jsonb_build_object(
    'banners', (
      select coalesce(jsonb_agg(
        jsonb_build_object('image', b.image, 'title', b.title, 'product', app.product_reference_json(b.product_id))
        order by b.rank
      ), '[]')
      from app.banners as b
    ),
    'featured',
    (
      select coalesce(jsonb_agg(app.product_reference_json(f.product_id) order by f.rank), '[]')
      from app.featured_products as f
    )
  );
end
$$;

comment on function api.admin_get_first_page is
  'Returns the banners and the featured products of the first page of the app. Serves GET /adminapi/first_page.';

grant execute on function api.admin_get_first_page() to store_admin;

create or replace function app.require_banners(p_banners jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if (case when jsonb_typeof(p_banners) = 'array' then jsonb_array_length(p_banners) > 10 or exists (
    select from jsonb_array_elements(p_banners) as b (value)
    where jsonb_typeof(b.value) <> 'object' or jsonb_typeof(b.value -> 'image') is distinct from 'string'
      or jsonb_typeof(b.value -> 'title') is distinct from 'string'
      or coalesce(b.value ->> 'product_id', '1') !~ '^[1-9][0-9]{0,15}$'
  ) else true end) then
    perform app.fail(
      'invalid_argument',
      'There are at most 10 banners, each with a picture, a title and the product to which it leads, or none.',
      '/banners'
    );
  end if;
end
$$;

comment on function app.require_banners is
  'Raises invalid_argument unless a value is a list of at most ten banners: [{"image", "title", "product_id"}].';

-- Locks: the table of banners against other writers, then the products that the page names (shared).
-- Idempotent: the same page again changes nothing.
create or replace function api.set_first_page(p_banners jsonb, p_featured jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_featured bigint[];
  v_before jsonb;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_banners(p_banners);
  v_featured := app.require_sequence(p_featured, 20, '/featured');
  lock table app.banners in share row exclusive mode;
  if exists (
    select from (
      select f.id from unnest(v_featured) as f (id)
      union all select (b.value ->> 'product_id')::bigint from jsonb_array_elements(p_banners) as b (value)
    ) as n
    where n.id is not null and not exists (select from app.products as p where p.id = n.id and not p.is_del)
  ) then
    perform app.fail('product_not_found');
  end if;
  v_before := app.first_page_record();
  delete from app.banners as b where b.rank > 0;
  insert into app.banners (rank, image, title, product_id)
  select b.rank, b.value ->> 'image', b.value ->> 'title', (b.value ->> 'product_id')::bigint
  from jsonb_array_elements(p_banners) with ordinality as b (value, rank) order by b.rank;
  delete from app.featured_products as f where f.rank > 0;
  insert into app.featured_products (rank, product_id) select f.rank, f.id
  from unnest(v_featured) with ordinality as f (id, rank) order by f.rank;
  perform app.record_action('set_first_page', 'first_page', null, v_before, app.first_page_record(), '{featured}');
  return api.admin_get_first_page();
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.set_first_page is
  'Replaces the banners (app.require_banners) and the featured products of the first page of the app, and returns '
  'them. Serves PUT /adminapi/first_page.';

grant execute on function api.set_first_page(jsonb, jsonb) to store_admin;
