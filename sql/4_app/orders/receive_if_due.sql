-- Locks: structure (shared), the order; if it settles, balances by uid.
-- Raises: order_not_found and what app.confirm_receipt raises.
-- Idempotent: an order is received once.
create or replace function app.receive_if_due(p_order_id bigint, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lock_structure_shared();
  if not app.is_to_be_received(app.lock_order(p_order_id), app.effect_time(p_now)) then
    return false;
  end if;
  perform app.confirm_receipt(p_order_id, p_now);
  return true;
end
$$;

comment on function app.receive_if_due is
  'Confirms the receipt of an order that was shipped at least receipt_days ago and has no open refund request, and returns '
  'whether it did. With timing confirm, this settles the order. The conditions under which the order was selected are checked '
  'again under its lock.';
