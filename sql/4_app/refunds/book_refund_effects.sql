-- Precondition: the caller has locked the structure, the order and the balances.
create or replace function app.book_refund_effects(p_facts app.refund_facts, p_position bigint, p_now timestamptz)
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
  set queue_base = v_after.queue_base, queue_units = v_after.queue_units, refund_status = v_after.refund_status, points_left = v_after.points_left
  where id = v_after.id;
  perform app.book_entries(v_decision.entries, v_decision.members, v_decision.cycles, p_now);
  update app.commission_maturities as m set amount_left = m.amount_left - r.taken
  from (select -sum(e.brokerage_delta) as taken from unnest(v_decision.entries) as e where e.type = 'brokerage_reversal') as r
  where m.order_id = v_after.id and r.taken > 0;
  if cardinality(v_decision.cycles) > 0 then
    update app.settlements set place_freed_at = p_now, place_freed_position = p_position where order_id = v_after.id;
  end if;
end
$$;

comment on function app.book_refund_effects is
  'Books the effects of a refund, a request or its refusal (the third step of the engine): the totals of the order, the decided '
  'bill entries and task counts, the commission that is left to mature, and the place that is freed. The row of the refund is already written.';
