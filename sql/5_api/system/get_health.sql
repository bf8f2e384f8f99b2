-- Security definer: every role may see these sums but not the rows behind them.
create or replace function api.get_health()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.health_json(clock_timestamp())
$$;

comment on function api.get_health is
  'Returns the state of the settlement jobs, the latest release and the status. status is degraded if an order could not be '
  'settled, a job is due for more than five minutes, or no scheduler runs the jobs. Serves GET /api/health.';

grant execute on function api.get_health() to anon, authenticated, store_admin;
