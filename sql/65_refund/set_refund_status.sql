-- Sets the refund status of an order from its refunds, and what is left of its queue goods from its lines; an order that
-- begins or ceases to count for the tasks of the upline is counted or uncounted (R8).
-- Callers: request_refund, refuse_refund, refund_order. Locks: the caller holds structure, order and participants.
create or replace function app.set_refund_status(p_order app.orders, p_now timestamptz)
returns app.orders
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_step integer;
begin
  update app.orders as o
  set queue_base = l.queue_base, queue_units = l.queue_units,
      refund_status = case
        when l.units_left = 0 then 2
        when exists (select from app.refunds as r where r.order_id = o.id and r.state = 'requested') then 1
        when l.units_refunded > 0 then 3
        else 0
      end
  from (
    select
      coalesce(sum(app.amount_left(i.paid, i.quantity, i.refunded_quantity)) filter (where i.is_queue_goods), 0) as queue_base,
      coalesce(sum(i.quantity - i.refunded_quantity) filter (where i.is_queue_goods), 0) as queue_units,
      sum(i.quantity - i.refunded_quantity) as units_left,
      sum(i.refunded_quantity) as units_refunded
    from app.order_lines as i
    where i.order_id = p_order.id
  ) as l
  where o.id = p_order.id
  returning o.* into v_order;

  v_step := app.is_counted(v_order)::integer - app.is_counted(p_order)::integer;
  if v_step <> 0 then
    perform app.book_entries('{}', app.order_counts(v_order, array(select app.upline_shares(v_order.uid)), v_step), p_now);
  end if;
  return v_order;
end
$$;
