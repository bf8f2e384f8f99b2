-- Refuses an order that was not paid. Callers: lock_for_refund, preview_refund. Reads nothing. Raises: order_state_conflict.
create or replace function app.require_paid(p_order app.orders)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_order.paid_at is null then
    perform app.fail('order_state_conflict', 'Only a paid order can be refunded.');
  end if;
end
$$;
