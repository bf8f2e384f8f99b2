-- Security definer: client roles may not execute app.forecast_json.
-- Raises: forbidden.
create or replace function api.get_release_forecast(p_uid bigint default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.forecast_json(p_uid);
end
$$;

comment on function api.get_release_forecast is
  'Returns the points that will still be released to one member, or to all members with p_uid null (app.forecast_json). Serves '
  'GET /adminapi/hjf/points/forecast.';

grant execute on function api.get_release_forecast(bigint) to store_admin;
