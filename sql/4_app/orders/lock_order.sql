-- Raises: order_not_found.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_order(p_order_id bigint)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id for update;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return v_order;
end
$$;

comment on function app.lock_order is 'Locks an order, the second step of the lock order, and returns it.';
