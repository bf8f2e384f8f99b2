-- Settles an order whose locks are held, unless it was settled before, and takes its job off the list.
-- Callers: settle_order, run_settlement_jobs. Locks: the caller holds structure, order and participants, in this order.
-- Raises: order_state_conflict. Safe twice: one settlement row per order.
create or replace function app.settle_locked_order(p_order app.orders, p_now timestamptz)
returns app.settlements
language plpgsql
set search_path = pg_catalog, pg_temp
-- A plan made while a table was empty would read all of it, order by order, for as long as the session lasts.
set enable_seqscan = off
as $$
declare
  v_settlement app.settlements;
begin
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order.id;
  if not found then
    if p_order.paid_at is null or not p_order.has_queue_goods then
      perform app.fail('order_state_conflict', 'Only a paid order with queue goods can be settled.');
    end if;
    v_settlement := app.book_settlement(p_order, p_now);
  end if;
  delete from app.settlement_jobs where order_id = p_order.id;
  return v_settlement;
end
$$;
