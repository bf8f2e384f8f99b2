-- PUT /adminapi/hjf/brokerage/config: puts a new version of the commission plan in force.
-- Security definer: settings are written by functions only. Raises: forbidden, plan_invalid. Safe twice.
create or replace function api.set_brokerage_config(p_plan jsonb)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.create_plan(p_plan, auth.uid(), clock_timestamp());
  return api.get_brokerage_config();
end
$$;

grant execute on function api.set_brokerage_config(jsonb) to store_admin;
