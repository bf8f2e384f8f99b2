-- Locks: structure (shared), the order, balances by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict, import_unfinished, serialization_failure (see settle_orders).
-- Idempotent: an order has one settlement.
create or replace function app.settle_order(p_order_id bigint, p_now timestamptz)
returns app.settlements
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_settlement app.settlements;
begin
  perform app.lock_structure_shared();
  perform app.settle_orders(array[app.lock_order(p_order_id)], p_now);
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  return v_settlement;
end
$$;

comment on function app.settle_order is
  'Settles one paid order with queue goods and returns its settlement. An order that is settled already is returned as it is.';
