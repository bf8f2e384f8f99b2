-- GET /adminapi/order: all orders, newest first, by buyer, state and time. Raises: invalid_argument.
create or replace function api.admin_get_orders(
  p_uid bigint default null, p_state text default null, p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20
)
returns jsonb
language sql
stable
set search_path = ''
as $$
  with matching as (
    select o.* from app.orders as o
    where (p_uid is null or o.uid = p_uid) and (p_state is null or o.state = p_state)
      and (p_from is null or o.add_time >= p_from) and (p_to is null or o.add_time < p_to)
  ),
  page as (
    select m.id from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit
  )
  select jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.order_json(o) order by o.id desc) from app.orders as o where o.id in (select g.id from page as g)
    ), '[]'),
    'count', (select count(*) from matching)
  )
$$;

grant execute on function api.admin_get_orders(bigint, text, timestamptz, timestamptz, integer, integer) to store_admin;
