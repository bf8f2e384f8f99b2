-- PUT /adminapi/hjf/brokerage/config: puts a new version of the commission plan in force.
-- Security definer: settings are written by functions only. Raises: forbidden, plan_invalid. Safe twice.
create or replace function api.set_brokerage_config(p_plan jsonb)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was integer;
  v_plan app.commission_plans;
begin
  perform app.require_admin();
  v_was := app.active_plan_version();
  v_plan := app.create_plan(p_plan, auth.uid(), clock_timestamp());
  -- The version before, not the one read above: another administrator may have added one since.
  if v_plan.version <> v_was then
    v_was := (select max(p.version) from app.commission_plans as p where p.version < v_plan.version);
  end if;
  perform app.record_action(
    'set_brokerage_config', 'commission_plan', v_plan.version::text,
    (select to_jsonb(p) - '{created_by, created_at}'::text[] from app.commission_plans as p where p.version = v_was),
    to_jsonb(v_plan) - '{created_by, created_at}'::text[]
  );
  return api.get_brokerage_config();
end
$$;

grant execute on function api.set_brokerage_config(jsonb) to store_admin;
