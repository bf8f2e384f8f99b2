-- GET /api/health: that the database answers, what waits for settlement, when points were last released. status is `degraded`
-- where an operator has to look: an order could not be settled, one is due for more than five minutes, or the scheduler does not run.
-- Security definer: anybody may see these sums, nobody the rows behind them.
create or replace function api.get_health()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.health_json(clock_timestamp())
$$;

grant execute on function api.get_health() to anon, authenticated, store_admin;
