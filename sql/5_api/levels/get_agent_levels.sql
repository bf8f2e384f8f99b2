-- Raises: forbidden.
create or replace function api.get_agent_levels()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'version', (select max(v.version) from app.level_versions as v),
      'list', app.levels_json(), 'count', jsonb_array_length(app.levels_json()),
      'versions', (
        select jsonb_agg(jsonb_build_object(
          'version', v.version, 'created_by', app.actor_json(v.created_by), 'created_at', app.utc(v.created_at)
        ) order by v.version desc)
        from (select * from app.level_versions as a order by a.version desc limit 20) as v
      )
    )
  );
end
$$;

comment on function api.get_agent_levels is
  'Returns the level settings in force with their tasks, and the latest twenty versions with the administrators who created '
  'them. Serves GET /adminapi/agent/level.';

grant execute on function api.get_agent_levels() to store_admin;
