-- POST /adminapi/system/crontab/{name}/run: lets a job run once, within a little more than a minute.
-- Security definer: the schedule is changed by functions only. Safe twice: every job is.
-- Raises: forbidden, crontab_not_found, schedule_unavailable.
create or replace function api.run_crontab(p_name text)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_runs_at timestamptz;
begin
  perform app.require_admin();
  v_runs_at := app.run_job_now(p_name, clock_timestamp());
  perform app.record_action('run_crontab', 'crontab', p_name, null, jsonb_build_object('runs_at', app.utc(v_runs_at)));
  return jsonb_build_object('name', p_name, 'runs_at', app.utc(v_runs_at));
end
$$;

grant execute on function api.run_crontab(text) to store_admin;
