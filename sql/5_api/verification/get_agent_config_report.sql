-- GET /adminapi/hjf/verify_agent_config: the report of hjf:verify-agent-config.
-- Security definer: the check plays the main job with the store's own functions and undoes it. Raises: forbidden.
create or replace function api.get_agent_config_report()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'ok', bool_and(v.severity <> 'error'), 'list', jsonb_agg(to_jsonb(v)), 'count', count(*)
    )
    from app.verify_agent_config() as v
  );
end
$$;

grant execute on function api.get_agent_config_report() to store_admin;
