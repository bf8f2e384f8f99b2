-- Locks: structure (shared), the order.
-- Raises: order_not_found, order_state_conflict, order_archived.
create or replace function app.lock_for_refund(p_order_id bigint)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  perform app.require_paid(v_order);
  perform app.reject_archived_order(p_order_id);
  return v_order;
end
$$;

comment on function app.lock_for_refund is 'Locks the structure (shared) and a paid order whose bill rows are attached, and returns the order.';
