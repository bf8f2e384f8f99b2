-- PUT /adminapi/agent/level: replaces the level settings as a whole.
-- Security definer: settings are written by functions only. Raises: forbidden, levels_invalid. Safe twice.
create or replace function api.set_agent_levels(p_levels jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform app.require_admin();
  perform app.set_agent_levels(p_levels, auth.uid(), clock_timestamp());
  return api.get_agent_levels();
end
$$;

grant execute on function api.set_agent_levels(jsonb) to store_admin;
