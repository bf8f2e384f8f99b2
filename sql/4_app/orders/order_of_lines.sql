create or replace function app.order_of_lines(p_lines app.order_lines[])
returns app.orders
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  select
    sum(l.price * l.quantity), sum(l.discount), sum(p.freight * l.quantity), sum(l.paid_by_points), sum(l.points),
    sum(l.paid + p.freight * l.quantity),
    bool_or(l.is_queue_goods),
    coalesce(sum(l.paid) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity) filter (where l.is_queue_goods), 0)
  into
    v_order.total_price, v_order.discount, v_order.freight, v_order.paid_by_points, v_order.points_spent,
    v_order.pay_price, v_order.has_queue_goods, v_order.queue_base, v_order.queue_units
  from unnest(p_lines) as l join app.products as p on p.id = l.product_id;
  return v_order;
end
$$;

comment on function app.order_of_lines is 'Returns an order with the sums of its priced lines, and all other columns null.';
