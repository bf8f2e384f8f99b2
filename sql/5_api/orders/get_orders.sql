-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_orders(p_state text default null, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_skip bigint := app.check_page(p_page, p_limit);
begin
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.order_json(o) order by o.id desc)
      from (
        select * from app.orders as q where q.uid = v_uid and (p_state is null or q.state = p_state)
        order by q.id desc offset v_skip limit p_limit
      ) as o
    ), '[]'),
    'count', (select count(*) from app.orders as q where q.uid = v_uid and (p_state is null or q.state = p_state))
  );
end
$$;

comment on function api.get_orders is
  'Returns one page of the caller''s orders, newest first, filtered by state. Serves GET /api/order.';

grant execute on function api.get_orders(text, integer, integer) to authenticated, store_admin;
