-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: invalid_argument.
create or replace function api.get_products(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_products app.products[] := array(
    select q from app.products as q where q.is_show and not q.is_del order by q.id desc offset v_skip limit p_limit
  );
  v_earnings jsonb := app.you_would_earn(v_products);
begin
  return (
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.product_json(p) || jsonb_build_object('you_would_earn', v_earnings -> p.id::text) order by p.id desc)
        from unnest(v_products) as p
      ), '[]'),
      'count', (select count(*) from app.products as q where q.is_show and not q.is_del)
    )
  );
end
$$;

comment on function api.get_products is
  'Returns one page of the products on sale, newest first, to a member with what each would pay the member '
  '(app.you_would_earn). Serves GET /api/product.';

grant execute on function api.get_products(integer, integer) to anon, authenticated, store_admin;
