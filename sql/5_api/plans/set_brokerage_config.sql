-- Security definer: client roles have no write privilege on plans.
-- Raises: forbidden, plan_invalid.
-- Idempotent: a plan equal to the one in force creates no version.
create or replace function api.set_brokerage_config(p_plan jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was integer;
  v_plan app.commission_plans;
begin
  perform app.require_admin('plan');
  v_was := app.active_plan_version();
  v_plan := app.create_plan(p_plan, auth.uid(), clock_timestamp());
  -- Take the version right before the new one: another administrator may have added a version since the read above.
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

comment on function api.set_brokerage_config is
  'Puts a new version of the commission plan in force and returns what get_brokerage_config returns. Keys that p_plan leaves '
  'out keep their values. Serves PUT /adminapi/hjf/brokerage/config.';

grant execute on function api.set_brokerage_config(jsonb) to store_admin;
