-- Security definer: client roles may not execute app.forecast_json.
-- Raises: forbidden.
create or replace function api.get_liabilities()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return app.liabilities_json(now());
end
$$;

comment on function api.get_liabilities is
  'Returns what the store owes its members today and later (app.liabilities_json). Serves GET /adminapi/liabilities.';

grant execute on function api.get_liabilities() to store_admin;
