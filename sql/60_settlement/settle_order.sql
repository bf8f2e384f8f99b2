-- Settles one paid order with queue goods now and returns its settlement; an order settled before is returned as it is.
-- Its job, if it has one, is done with it.
-- Callers: run_settlement_jobs, confirm_receipt. Locks: structure (shared), the order, participants by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict. Safe twice: one settlement row per order.
create or replace function app.settle_order(p_order_id bigint, p_now timestamptz)
returns app.settlements
language plpgsql
set search_path = ''
as $$
declare
  v_order app.orders;
  v_settlement app.settlements;
begin
  perform app.require_time(p_now);
  perform app.share_structure();
  v_order := app.lock_order(p_order_id);
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  if not found then
    if v_order.paid_at is null or not v_order.has_queue_goods then
      perform app.fail('order_state_conflict', 'Only a paid order with queue goods can be settled.');
    end if;
    perform app.lock_balances(app.settlement_participants(array[p_order_id]));
    v_settlement := app.settle_locked_order(v_order, p_now);
  end if;
  delete from app.settlement_jobs where order_id = p_order_id;
  return v_settlement;
end
$$;
