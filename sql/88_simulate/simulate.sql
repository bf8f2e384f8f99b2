-- Replays the real orders of a past period under a draft plan or draft levels (null: as they are) with the store's own
-- functions, and tells what would have been paid beside what was. The work happens in a copy of the engine that only
-- this transaction sees and that is undone at the end; no row, flag or structure of the store is locked.
-- Callers: api.simulate, the command simulate. Bounded: p_max_orders, and the caller's statement timeout.
-- Raises: invalid_argument, simulation_too_large, plan_invalid, levels_invalid. Changes nothing.
create or replace function app.simulate(
  p_plan jsonb, p_levels jsonb, p_from timestamptz, p_to timestamptz, p_max_orders integer default 20000, p_limit integer default 20
)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_schema text := 'simulation_' || pg_backend_pid();
  v_orders integer;
  v_report text;
begin
  if p_from is null or p_to is null or p_from >= p_to then
    perform app.fail('invalid_argument', 'A period has a beginning and a later end.');
  elsif p_max_orders is null or p_max_orders < 1 or p_limit is null or p_limit < 1 then
    perform app.fail('invalid_argument', 'A simulation has at least one order and one member.');
  end if;
  perform app.require_time(p_from);
  perform app.require_time(p_to);
  -- Looked at before the work of copying the engine, too.
  perform app.draft_plan(coalesce(p_plan, '{}'));
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;
  perform app.copy_engine(v_schema);
  perform app.copy_members(v_schema, p_from, p_to);
  execute format('select from %1$I.create_plan(coalesce($1, %2$L), null, $2)', v_schema, '{}') using p_plan, p_from;
  if p_levels is not null then
    execute format('select %I.set_agent_levels($1, null, $2)', v_schema) using p_levels, p_from;
  end if;
  v_orders := app.replay_orders(v_schema, p_from, p_to, p_max_orders);
  v_report := app.simulation_report(v_schema, v_orders, p_limit)::text;
  raise exception using errcode = 'PV000', message = 'undo', detail = v_report;
exception
  when sqlstate 'PV000' then
    get stacked diagnostics v_report = pg_exception_detail;
    return v_report::jsonb;
end
$$;
