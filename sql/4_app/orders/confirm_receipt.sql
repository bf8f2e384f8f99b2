-- Locks: structure (shared), the order; if it settles, balances by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict, import_unfinished (if it settles).
-- Idempotent: a received order is returned unchanged.
create or replace function app.confirm_receipt(p_order_id bigint, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_now timestamptz;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  v_now := app.effect_time(p_now);
  if v_order.state = 'received' then
    return v_order;
  elsif v_order.state not in ('paid', 'delivered') or v_order.refund_status = 2 then
    perform app.fail('order_state_conflict', 'Only the receipt of a paid order that is not refunded can be confirmed.');
  end if;
  update app.orders set state = 'received', received_at = v_now where id = p_order_id returning * into v_order;
  if v_order.has_queue_goods and exists (
    select from app.commission_plans as p where p.version = v_order.plan_version and p.brokerage_timing = 'confirm'
  ) then
    perform app.settle_order(p_order_id, p_now);
  end if;
  -- An order that is settled later gets its maturity then.
  update app.commission_maturities as m set matures_at = app.matures_at(v_order.received_at, s.settled_at, p.holding_days)
  from app.settlements as s, app.commission_plans as p
  where m.order_id = p_order_id and m.matures_at is null and s.order_id = p_order_id and p.version = v_order.plan_version;
  return v_order;
end
$$;

comment on function app.confirm_receipt is
  'Confirms the receipt of an order and, with timing confirm, settles it in the same transaction (R2, R3). Returns the order. Its '
  'commission matures holding_days later. The receipt of a paid order can be confirmed before the order is marked as shipped.';
