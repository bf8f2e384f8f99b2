-- The plan in force with the settings of p_plan in their places, held to every rule of a plan. Nothing is written.
-- p_at: where the plan is in the request's body, for the field that is to blame. Keys: see check_plan_keys.
-- Callers: create_plan, simulate, api.preview_brokerage_config. Reads only. Raises: plan_invalid, with the reason.
create or replace function app.draft_plan(p_plan jsonb, p_at text default '')
returns app.commission_plans
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_constraint text;
begin
  perform app.check_plan_keys(p_plan, p_at);
  select p.* into v_plan from app.commission_plans as p where p.version = app.active_plan_version();
  v_plan := jsonb_populate_record(v_plan, p_plan);
  -- The time comes with the writing; any will do here.
  perform app.check_rows('app.commission_plans', jsonb_build_array(to_jsonb(v_plan) || '{"created_at": "epoch"}'));
  return v_plan;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail(
      'plan_invalid', 'The plan is refused; what must hold: ' || replace(v_constraint, '_', ' ') || '.',
      p_at || '/' || app.blame_setting(p_plan, v_plan, v_constraint)
    );
  when data_exception or not_null_violation or array_subscript_error then
    perform app.fail('plan_invalid', 'A value of the plan is missing, not of the right type or too large.', p_at || '/' || app.blame_value(p_plan));
end
$$;
