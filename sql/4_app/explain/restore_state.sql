-- Eligibility (R4) is taken from the settlement, not computed again, because later refunds would change it. The recorded payment
-- must be one of the earner's own orders.
create or replace function app.restore_state(p_settlement app.settlements)
returns app.engine_state
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state app.engine_state;
  v_uids bigint[] := app.chain_at(p_settlement.uid, p_settlement.position);
begin
  v_state.levels := (select l.rules from app.level_versions as l where l.version = p_settlement.level_version);
  v_state.level_version := p_settlement.level_version;
  v_state.plan_in_force := p_settlement.plan_in_force;
  -- The referrer of each member is the next element of the array.
  select
    array_agg((
      m.uid, case when m.ordinality < cardinality(v_uids) then m.ordinality + 1 end, app.level_at(m.uid, p_settlement.position),
      true, false, 0, 0, 0, 0, 0, false
    )::app.tree_member order by m.ordinality),
    array_agg(case when m.uid = p_settlement.earner_uid then app.cycle_at(p_settlement) end order by m.ordinality)
  into v_state.members, v_state.cycles
  from unnest(v_uids) with ordinality as m (uid);
  v_state.plans := app.load_plans(array[p_settlement.order_plan_version, p_settlement.cycle_plan_version, p_settlement.plan_in_force]);
  return v_state;
end
$$;

comment on function app.restore_state is
  'Returns the state from which a settlement was decided, as far as earner, place, rate and points depend on it: the upline with '
  'the levels at that time, the level settings, the plans and the earner''s cycle. Task counts are not restored.';
