-- GET /adminapi/agent/level: the level settings in force, with their tasks.
create or replace function api.get_agent_levels()
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'version', (select max(v.version) from app.level_versions as v), 'list', app.levels_json(), 'count', jsonb_array_length(app.levels_json())
  )
$$;

grant execute on function api.get_agent_levels() to store_admin;
