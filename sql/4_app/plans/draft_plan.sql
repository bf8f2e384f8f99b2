-- Raises: plan_invalid with the reason and the field at fault.
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
  -- created_at is set when the row is written. Any value passes the check.
  perform app.check_rows('app.commission_plans', jsonb_build_array(to_jsonb(v_plan) || '{"created_at": "epoch"}'));
  return v_plan;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail(
      'plan_invalid', 'The plan violates this rule: ' || replace(v_constraint, '_', ' ') || '.',
      p_at || '/' || app.violating_setting(p_plan, v_plan, v_constraint)
    );
  when data_exception or not_null_violation or array_subscript_error then
    perform app.fail('plan_invalid', 'A value of the plan is missing, not of the right type or too large.', p_at || '/' || app.invalid_setting(p_plan));
end
$$;

comment on function app.draft_plan is
  'Returns the plan in force with the settings of p_plan in place of its own, after checking every rule of a plan. Writes '
  'nothing. p_at is the JSON Pointer of the plan in the request body. Keys: see app.create_plan.';
