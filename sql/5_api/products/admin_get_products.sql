-- Raises: forbidden, invalid_argument.
create or replace function api.admin_get_products(
  p_search text default null, p_is_show boolean default null, p_is_queue_goods boolean default null,
  p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    with matching as (
      select p.id from app.products as p
      where not p.is_del and (p_is_show is null or p.is_show = p_is_show)
        and (p_is_queue_goods is null or p.is_queue_goods = p_is_queue_goods)
        and (p_search is null or position(lower(p_search) in lower(p.title)) > 0)
    )
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.admin_product_json(p) order by p.id desc)
        from (select m.id from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as g
        join app.products as p on p.id = g.id
      ), '[]'),
      'count', (select count(*) from matching)
    )
  );
end
$$;

comment on function api.admin_get_products is
  'Returns one page of the products, on sale or not, newest first, filtered by title and flags. Serves GET /adminapi/product.';

grant execute on function api.admin_get_products(text, boolean, boolean, integer, integer) to store_admin;
