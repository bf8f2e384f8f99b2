-- GET /api/health: that the database answers, what waits for settlement, when points were last released.
-- Security definer: anybody may see these sums, nobody the rows behind them.
create or replace function api.get_health()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'status', 'ok',
    'waiting_jobs', (select count(*) from app.settlement_jobs as j where j.state = 'waiting'),
    'dead_jobs', (select count(*) from app.settlement_jobs as j where j.state = 'dead'),
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
$$;

grant execute on function api.get_health() to anon, authenticated, store_admin;
