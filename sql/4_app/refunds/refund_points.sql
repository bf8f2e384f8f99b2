create or replace function app.refund_points(p_order_id bigint, p_items app.refund_item[])
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select sum(
    app.points_left(l.points, l.quantity, l.refunded_quantity) - app.points_left(l.points, l.quantity, l.refunded_quantity + i.quantity)
  )
  from unnest(p_items) as i
  join app.order_lines as l on l.id = i.line_id and l.order_id = p_order_id
$$;

comment on function app.refund_points is 'Returns the points that these units of an order return to the buyer. Points, 4 decimals.';
