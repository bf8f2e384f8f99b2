-- POST /adminapi/system/crontab/{name}/run: lets a job run once, within a little more than a minute.
-- Security definer: the schedule is changed by functions only. Safe twice: every job is.
-- Raises: forbidden, crontab_not_found, schedule_unavailable.
create or replace function api.run_crontab(p_name text)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return jsonb_build_object('name', p_name, 'runs_at', app.utc(app.run_job_now(p_name, clock_timestamp())));
end
$$;

grant execute on function api.run_crontab(text) to store_admin;
