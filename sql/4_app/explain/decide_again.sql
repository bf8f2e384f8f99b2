-- Decides a past settlement again, from the state that it was decided from: earner or reason, place, rate and amounts, and what
-- everyone above the buyer got by level, also where that is nothing. Who rose is not decided again: counters of the past are not
-- kept; level_changes has it.
-- Callers: explain_order, reconcile_decisions. Reads only.
create or replace function app.decide_again(p_settlement app.settlements, out settlement app.settlements, out grants app.level_grant[])
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state app.engine_state := app.restore_state(p_settlement);
  v_facts app.order_facts := (
    'settle', p_settlement.order_id, 1, p_settlement.uid, p_settlement.referrer_uid, p_settlement.order_plan_version,
    p_settlement.plan_in_force, (select o.paid_at from app.orders as o where o.id = p_settlement.order_id), p_settlement.base, p_settlement.units,
    app.barring_reason(
      p_settlement.units, p_settlement.base, p_settlement.reason is not distinct from 'below_minimum', p_settlement.referrer_uid
    ),
    false
  );
begin
  settlement := (app.decide_cycles(array[v_facts], v_state.members, v_state.cycles, v_state.plans)).settlements[1];
  grants := (app.decide_levels(app.settlement_events(array[v_facts], v_state.plans), v_state.members, v_state.levels, true)).grants;
end
$$;
