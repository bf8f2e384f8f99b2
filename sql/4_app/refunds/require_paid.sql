-- Raises: order_state_conflict.
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

comment on function app.require_paid is 'Raises an error if an order was not paid.';
