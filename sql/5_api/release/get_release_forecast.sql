-- GET /adminapi/hjf/points/forecast: the release still to come of one member, or of all; see app.forecast_json.
-- Security definer: it sums all balances. Raises: forbidden.
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

grant execute on function api.get_release_forecast(bigint) to store_admin;
