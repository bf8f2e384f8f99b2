-- Security invoker: reads with the rights of the caller.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.order_json(p_order app.orders)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- A query plan that was cached while the table was empty would later scan all lines for every order.
set enable_seqscan = off
as $$
begin
  return (
    select jsonb_build_object(
      'id', p_order.id, 'order_no', p_order.order_no, 'uid', p_order.uid, 'referrer_uid', p_order.referrer_uid,
      'state', p_order.state, 'total_price', p_order.total_price::text, 'discount', p_order.discount::text,
      'freight', p_order.freight::text, 'paid_by_points', p_order.paid_by_points::text, 'points_spent', trim_scale(p_order.points_spent),
      'points_left', trim_scale(p_order.points_left), 'pay_price', p_order.pay_price::text, 'queue_base', p_order.queue_base::text,
      'queue_units', p_order.queue_units, 'refund_status', p_order.refund_status, 'paid_at', app.utc(p_order.paid_at),
      'delivered_at', app.utc(p_order.delivered_at), 'received_at', app.utc(p_order.received_at),
      'cancelled_at', app.utc(p_order.cancelled_at), 'is_expired', p_order.is_expired, 'add_time', app.utc(p_order.add_time),
      'is_imported', p_order.is_imported, 'address', p_order.address, 'remark', p_order.remark, 'carrier', p_order.carrier, 'tracking_no', p_order.tracking_no,
      'lines', (
        select jsonb_agg(jsonb_build_object(
          'id', l.id, 'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity,
          'paid_by_points', l.paid_by_points::text, 'points', trim_scale(l.points), 'paid', l.paid::text, 'is_queue_goods', l.is_queue_goods,
          'refunded_quantity', l.refunded_quantity
        ) order by l.id)
        from app.order_lines as l
        where l.order_id = p_order.id
      )
    )
  );
end
$$;

comment on function app.order_json is
  'Returns an order with its lines in the format of the API: money as text, times as RFC 3339.';

grant execute on function app.order_json(app.orders) to authenticated, store_admin;
