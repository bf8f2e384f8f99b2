-- Refuses an administrator who acts on an order of their own. The buyer of an order never changes, so nothing is locked.
-- Callers: what administrators do to an order, before they change it. Raises: own_account.
create or replace function app.refuse_own_order(p_order_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.refuse_own_member((select o.uid from app.orders as o where o.id = p_order_id));
end
$$;
