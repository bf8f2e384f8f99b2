-- GET /adminapi/order: all orders, newest first, by buyer, state, refund status, number and time, by page or by cursor.
-- Raises: invalid_argument.
create or replace function api.admin_get_orders(
  p_uid bigint default null, p_state text default null, p_refund_status smallint default null, p_order_no text default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record := app.list_position(p_page, p_limit, p_cursor);
  v_list jsonb;
  v_next text;
begin
  select
    coalesce(jsonb_agg(app.order_json(o) order by o.id desc), '[]'),
    case when count(*) = p_limit then (array_agg(app.make_cursor(o.add_time, o.id) order by o.id))[1] end
  into v_list, v_next
  from (
    select q.* from app.orders as q
    where (p_uid is null or q.uid = p_uid) and (p_state is null or q.state = p_state)
      and (p_refund_status is null or q.refund_status = p_refund_status) and (p_order_no is null or q.order_no = p_order_no)
      and (p_from is null or q.add_time >= p_from) and (p_to is null or q.add_time < p_to)
      and q.id < v_position.id
    order by q.id desc
    offset v_position.skip
    limit p_limit
  ) as o;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next,
    'count', (
      select count(*) from app.orders as q
      where (p_uid is null or q.uid = p_uid) and (p_state is null or q.state = p_state)
        and (p_refund_status is null or q.refund_status = p_refund_status) and (p_order_no is null or q.order_no = p_order_no)
        and (p_from is null or q.add_time >= p_from) and (p_to is null or q.add_time < p_to)
    )
  );
end
$$;

grant execute on function api.admin_get_orders(bigint, text, smallint, text, timestamptz, timestamptz, integer, integer, text)
  to store_admin;
