-- Step three for refunds: the order as it is afterwards, the decided entries and counts, and the place that is freed.
-- Callers: refund_order, request_refund, refuse_refund. Locks: the caller holds structure, order and balances.
create or replace function app.book_refund(p_facts app.refund_facts, p_position bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_after app.orders := p_facts.after;
  v_decision record := app.decide_refund(p_facts);
begin
  update app.orders
  set queue_base = v_after.queue_base, queue_units = v_after.queue_units, refund_status = v_after.refund_status
  where id = v_after.id;
  perform app.book_entries(v_decision.entries, v_decision.members, v_decision.cycles, p_now);
  if cardinality(v_decision.cycles) > 0 then
    update app.settlements set place_freed_at = p_now, place_freed_position = p_position where order_id = v_after.id;
  end if;
end
$$;
