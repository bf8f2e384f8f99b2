-- Bounded by p_max_orders and by the statement timeout of the session.
-- Stable: Postgres itself prevents writes and row locks.
-- Raises: invalid_argument, simulation_too_large, order_archived, plan_invalid, levels_invalid, serialization_failure (see app.hold_months).
create or replace function app.simulate(
  p_plan jsonb, p_levels jsonb, p_from timestamptz, p_to timestamptz, p_max_orders integer default 20000, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_orders app.simulated_order[];
  v_start bigint;
  v_uids bigint[];
  v_plans app.commission_plans[];
  v_state record;
  v_chunk record;
  v_money record;
  v_points record;
  v_amounts app.simulated_amount[] := '{}';
  v_done integer := 0;
begin
  if p_from is null or p_to is null or p_from >= p_to then
    perform app.fail('invalid_argument', 'The end of a period must be after its beginning.');
  elsif p_max_orders is null or p_max_orders < 1 or p_limit is null or p_limit < 1 then
    perform app.fail('invalid_argument', 'A simulation has at least one order and one member.');
  end if;
  perform app.require_time(p_from);
  perform app.require_time(p_to);
  if p_plan is not null then
    v_plan := app.draft_plan(p_plan, '/plan');
    v_plan.version := app.active_plan_version() + 1;
  end if;
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;

  perform app.hold_months('user_bill', app.archived_until('user_bill'));
  v_orders := array(select o from app.simulated_orders(p_from, p_to, v_plan, p_max_orders::bigint + 1) as o);
  if cardinality(v_orders) > p_max_orders then
    perform app.fail('simulation_too_large', format('More than %s orders. Choose a shorter period.', p_max_orders));
  end if;
  perform app.reject_archived_order(o.order_id) from unnest(v_orders) as o;
  v_start := app.first_position(p_from);
  v_uids := app.simulated_uids(v_orders, v_start, p_to);
  v_state := app.simulated_members(v_uids, v_start, p_from, v_plan);
  v_plans := app.load_plans(array(
    select o.plan_version from unnest(v_orders) as o union select o.plan_in_force from unnest(v_orders) as o
    union select c.plan_version from unnest(v_state.cycles) as c
  ));
  if v_plan.version is not null then
    v_plans[v_plan.version] := v_plan;
  end if;

  for v_chunk in
    select * from app.simulated_chunks(v_orders, v_uids, v_start, p_from, p_to, v_plan, p_levels)
  loop
    -- No referrer changes after the first settlement of a chunk, so the tree after all of its events is the one that its orders
    -- are decided with.
    v_points := app.decide_levels(v_chunk.events, v_state.members, v_chunk.levels);
    v_money := app.decide_cycles(v_chunk.facts, v_points.members, v_state.cycles, v_plans);
    v_amounts := v_amounts || app.simulated_amounts(v_orders, v_money.settlements, v_points.grants, v_plans);
    select v_points.members as members, v_money.cycles as cycles into v_state;
    v_done := v_done + cardinality(v_money.settlements);
    raise notice 'replayed % of %', v_done, cardinality(v_orders);
  end loop;
  return app.simulation_report(v_orders, v_amounts, p_to, p_limit);
end
$$;

comment on function app.simulate is
  'Replays the orders of a past period through the decisions of the engine, from the state at its beginning, and returns what '
  'they would pay beside what they paid. Writes nothing. A draft plan or draft levels (null: none) apply to orders paid from '
  'the start of the period; open cycles keep their plan. Without a draft, the result equals what was paid, to the cent.';
