-- Security definer: the check runs test orders through internal functions and rolls them back.
-- Raises: forbidden.
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

comment on function api.get_agent_config_report is
  'Runs the configuration check (app.verify_agent_config) and returns its findings; ok is false if one of them is an error. '
  'Serves GET /adminapi/hjf/verify_agent_config.';

grant execute on function api.get_agent_config_report() to store_admin;
