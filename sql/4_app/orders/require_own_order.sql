-- Refuses an order that is not the caller's, as if it did not exist. An order never changes its buyer, so the answer
-- stays true without a lock. Callers: the order functions of schema api that write.
-- Raises: unauthenticated, order_not_found.
create or replace function app.require_own_order(p_order_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In a variable: the planner evaluates a stable function of a condition for its estimates, and this one may raise.
  v_uid bigint := app.require_uid();
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
end
$$;
