create or replace function app.decide_refund(
  p_facts app.refund_facts, out entries app.bill_entry[], out members app.tree_member[], out cycles app.cycle_state[]
)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders := p_facts.before;
  v_after app.orders := p_facts.after;
  v_settlement app.settlements := p_facts.settlement;
  v_state app.engine_state := p_facts.state;
  v_buyer integer;
  v_step integer;
begin
  entries := case when v_after.points_left < v_before.points_left then array[
    app.checkout_entry(v_before, v_before.points_left - v_after.points_left)
  ] else '{}' end;
  members := '{}';
  cycles := '{}';
  if v_settlement.order_id is null then
    return;
  end if;
  entries := entries || app.reversals(v_after, v_settlement.rate, p_facts.grants);

  v_buyer := app.member_index(v_state, v_before.uid);
  if v_after.queue_base = 0 and v_settlement.place_freed_at is null then
    cycles := array(
      select c from unnest((app.decide_cycles(
        array[('free', v_before.id, v_buyer, null, null, null, null, null, null, null, null, null)::app.order_facts],
        v_state.members, v_state.cycles, v_state.plans
      )).cycles) as c
      where c.placed <> 0
    );
  end if;

  v_step := app.is_counted(v_after.queue_units, v_after.refund_status, v_after.below_minimum)::integer
    - app.is_counted(v_before.queue_units, v_before.refund_status, v_before.below_minimum)::integer;
  if v_step <> 0 and v_settlement.state in ('settled', 'imported') then
    members := (app.decide_levels(
      array[('count', v_buyer, v_before.id, 0, null,
        v_step, null, null, null, null, null)::app.tree_event],
      v_state.members, v_state.levels
    )).members;
  end if;
end
$$;

comment on function app.decide_refund is
  'Decides what a refund, a request or its refusal changes: the points that return to the buyer, the entries that make up the difference between what the order '
  'granted and what the rest of it should pay, the place, which is freed if no base is left and the cycle is open, and the task '
  'counts (R8). Levels stay. Returns the entries, the members after it, and the earner''s cycle if the place is freed. An order '
  'that is not settled only returns points. An imported order paid nobody, so nothing is reversed.';
