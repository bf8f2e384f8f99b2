-- Security definer: the service may see these sums but not the tables of pg_cron behind them.
create or replace function api.get_metrics()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(app.metrics_text(clock_timestamp()))
$$;

comment on function api.get_metrics is
  'Returns the metrics of the store in the text format of Prometheus, as a JSON string. The edge function has checked the token of the '
  'monitoring system. Serves GET /adminapi/metrics.';

grant execute on function api.get_metrics() to service_role;
