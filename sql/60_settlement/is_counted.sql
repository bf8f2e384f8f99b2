-- Whether an order counts for the tasks of its buyer's upline (R8): settled, something of its queue goods left, and no
-- refund asked for or complete. Callers: set_refund_status, book_settlement. Reads only.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.is_counted(p_order app.orders)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return p_order.queue_units > 0 and p_order.refund_status in (0, 3) and exists (
    select from app.settlements as s where s.order_id = p_order.id and s.state = 'settled'
  );
end
$$;
