-- Security definer: client roles may not execute app.forecast_json.
-- Raises: unauthenticated.
create or replace function api.get_points_forecast()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.forecast_json(app.require_uid()) - 'members';
end
$$;

comment on function api.get_points_forecast is
  'Returns the points that will still be released to the caller (app.forecast_json). Serves GET /api/hjf/points/forecast.';

grant execute on function api.get_points_forecast() to authenticated, store_admin;
