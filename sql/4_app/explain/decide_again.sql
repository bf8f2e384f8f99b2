-- Level changes are not decided again, because past task counts are not stored; app.level_changes has them.
create or replace function app.decide_again(p_settlement app.settlements, out settlement app.settlements, out grants app.level_grant[])
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := (select o from app.orders as o where o.id = p_settlement.order_id);
  v_state app.engine_state := app.restore_state(p_settlement);
  v_facts app.order_facts := (
    'settle', p_settlement.order_id, 1, p_settlement.uid, p_settlement.referrer_uid, p_settlement.order_plan_version,
    p_settlement.plan_in_force, v_order.paid_at, p_settlement.base, p_settlement.units,
    app.barring_reason(p_settlement.units, p_settlement.base, v_order.below_minimum, p_settlement.referrer_uid, v_order.is_imported), false
  );
begin
  settlement := (app.decide_cycles(array[v_facts], v_state.members, v_state.cycles, v_state.plans)).settlements[1];
  grants := (app.decide_levels(app.settlement_events(array[v_facts], v_state.plans), v_state.members, v_state.levels, true)).grants;
end
$$;

comment on function app.decide_again is
  'Decides a past settlement again from the state in which it was decided. Returns the settlement and what each member of the '
  'upline got by level, zero amounts included.';
