-- Raises: forbidden, invalid_argument.
create or replace function api.admin_get_orders(
  p_uid bigint default null, p_state text default null, p_refund_status smallint default null, p_order_no text default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null, p_search text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  v_orders constant text := $sql$
    from app.orders as q
    where ($1 is null or q.uid = $1) and ($2 is null or q.state = $2) and ($3 is null or q.refund_status = $3)
      and ($4 is null or q.order_no = $4) and ($5 is null or q.add_time >= $5) and ($6 is null or q.add_time < $6)
  $sql$ || case when p_search is null then '' else 'and q.id in (select f.order_id from app.find_orders($7) as f)' end;
  v_list jsonb;
  v_next text;
  v_count bigint;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  -- Dynamic SQL, so that a search gets a query plan of its own, which starts from the few orders that match.
  execute format($sql$
    select
      coalesce(jsonb_agg(app.admin_order_json(o) order by o.id desc), '[]'),
      case when count(*) = $10 then (array_agg(app.make_cursor(o.add_time, o.id) order by o.id))[1] end
    from (select q.* %s and q.id < $8 order by q.id desc offset $9 limit $10) as o
  $sql$, v_orders)
  into v_list, v_next
  using p_uid, p_state, p_refund_status, p_order_no, p_from, p_to, p_search, v_position.id, v_position.skip, p_limit;
  execute 'select count(*) ' || v_orders into v_count using p_uid, p_state, p_refund_status, p_order_no, p_from, p_to, p_search;
  return jsonb_build_object('list', v_list, 'next_cursor', v_next, 'count', v_count);
end
$$;

comment on function api.admin_get_orders is
  'Returns one page of all orders, newest first, filtered by a search (app.find_orders), buyer, state, refund status, order '
  'number and time. Pages are numbered or follow a cursor. Serves GET /adminapi/order.';

grant execute on function api.admin_get_orders(bigint, text, smallint, text, timestamptz, timestamptz, integer, integer, text, text)
  to store_admin;
