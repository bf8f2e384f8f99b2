-- Security definer: client roles may not schedule jobs.
-- Raises: forbidden, crontab_not_found, schedule_unavailable.
-- Idempotent: a repeated call replaces the one-time job, and the scheduled jobs themselves are idempotent.
create or replace function api.run_crontab(p_name text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_runs_at timestamptz;
begin
  perform app.require_admin('system');
  v_runs_at := app.run_job_now(p_name, clock_timestamp());
  perform app.record_action('run_crontab', 'crontab', p_name, null, jsonb_build_object('runs_at', app.utc(v_runs_at)));
  return jsonb_build_object('name', p_name, 'runs_at', app.utc(v_runs_at));
end
$$;

comment on function api.run_crontab is
  'Makes pg_cron run a scheduled job once, and returns the minute at which it runs. Serves POST '
  '/adminapi/system/crontab/{name}/run.';

grant execute on function api.run_crontab(text) to store_admin;
