-- Takes no lock, because the buyer of an order never changes.
-- Raises: unauthenticated, order_not_found.
create or replace function app.require_own_order(p_order_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In a variable, because the planner may call a stable function in a condition for its estimates, and this one may raise.
  v_uid bigint := app.require_uid();
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
end
$$;

comment on function app.require_own_order is 'Raises order_not_found unless the caller is the buyer of the order.';
