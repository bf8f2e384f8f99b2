-- Locks: the order, the products with a limited stock; if points paid for it, the balances of the buyer.
-- Raises: order_not_found, invalid_argument.
-- Idempotent: an order expires once.
create or replace function app.expire_order(p_order_id bigint, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
begin
  if coalesce(app.order_expires_at(v_order) > app.effect_time(p_now), true) then
    return false;
  end if;
  perform app.cancel_order(p_order_id, p_now, true);
  return true;
end
$$;

comment on function app.expire_order is
  'Cancels an unpaid order that is past its expiry time, gives back its stock and its points, and returns whether it did. The conditions under '
  'which the order was selected are checked again under its lock.';
