-- Security definer: members may not read the orders of others. The function starts from the member of the verified token, and a
-- cursor is only a time of payment and the id of an order.
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_team_orders(p_cursor text default null, p_limit integer default 20)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object('list', o.list, 'next_cursor', o.next_cursor)
    from app.list_position(1, p_limit, p_cursor) as p cross join lateral app.team_orders(v_uid, p.add_time, p.id, p_limit) as o
  );
end
$$;

comment on function api.get_team_orders is
  'Returns one page of the orders below the caller that paid the caller or count for the caller''s tasks, latest first. Serves GET '
  '/api/spread/order.';

grant execute on function api.get_team_orders(text, integer) to authenticated, store_admin;
