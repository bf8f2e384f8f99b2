-- Takes no lock, because the buyer of an order never changes.
-- Raises: own_account.
create or replace function app.reject_own_order(p_order_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.reject_own_member((select o.uid from app.orders as o where o.id = p_order_id));
end
$$;

comment on function app.reject_own_order is 'Raises own_account if the calling administrator is the buyer of the order.';
