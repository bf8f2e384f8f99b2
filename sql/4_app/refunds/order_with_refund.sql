create or replace function app.order_with_refund(p_order app.orders, p_items app.refund_item[], p_is_requested boolean)
returns app.orders
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := p_order;
begin
  select
    coalesce(sum(app.amount_left(l.paid, l.quantity, l.refunded_quantity + r.quantity)) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity - l.refunded_quantity - r.quantity) filter (where l.is_queue_goods), 0),
    case
      when sum(l.quantity - l.refunded_quantity - r.quantity) = 0 then 2
      when p_is_requested then 1
      when sum(l.refunded_quantity + r.quantity) > 0 then 3
      else 0
    end,
    sum(app.points_left(l.points, l.quantity, l.refunded_quantity + r.quantity))
  into v_order.queue_base, v_order.queue_units, v_order.refund_status, v_order.points_left
  from app.order_lines as l
  cross join lateral (
    select coalesce((select i.quantity from unnest(p_items) as i where i.line_id = l.id), 0) as quantity
  ) as r
  where l.order_id = p_order.id;
  return v_order;
end
$$;

comment on function app.order_with_refund is
  'Returns an order as it is after a refund of these units: what is left of its queue goods and of its points, and its refund status. '
  'p_is_requested tells whether a request is open then.';
