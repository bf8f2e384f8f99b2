-- Locks: the order.
-- Raises: invalid_argument, order_not_found, order_state_conflict.
-- Idempotent: a delivered or received order is returned unchanged.
create or replace function app.deliver_order(p_order_id bigint, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.effect_time(p_now);
begin
  if v_order.state = 'paid' and v_order.refund_status <> 2 then
    update app.orders set state = 'delivered', delivered_at = v_now where id = p_order_id returning * into v_order;
  elsif v_order.state not in ('delivered', 'received') then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be delivered.');
  end if;
  return v_order;
end
$$;

comment on function app.deliver_order is 'Marks a paid order as delivered and returns it.';
