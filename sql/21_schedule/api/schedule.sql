-- What administrators may call about the schedule.

-- Security definer: client roles may not read the tables of pg_cron.
create or replace function api.get_crontab()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.schedule_json(clock_timestamp());
end
$$;

comment on function api.get_crontab is
  'Returns the scheduled jobs with their next and latest runs (app.schedule_json). Serves GET '
  '/adminapi/system/crontab.';

grant execute on function api.get_crontab() to store_admin;

-- Security definer: client roles may not schedule jobs.
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
  'Runs a scheduled job once (app.run_job_now), and returns the minute. Serves POST '
  '/adminapi/system/crontab/{name}/run.';

grant execute on function api.run_crontab(text) to store_admin;

-- Security definer: client roles may not schedule jobs.
-- Locks: the row of the job.
-- Idempotent: setting the same values again changes nothing.
create or replace function api.set_crontab(p_name text, p_schedule text default null, p_is_active boolean default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.scheduled_jobs;
  v_after app.scheduled_jobs;
begin
  perform app.require_admin('system');
  select j.* into v_before from app.scheduled_jobs as j where j.name = p_name for update;
  perform app.set_schedule(p_name, p_schedule, p_is_active, auth.uid(), clock_timestamp());
  select j.* into v_after from app.scheduled_jobs as j where j.name = p_name;
  perform app.record_action(
    'set_crontab', 'crontab', p_name,
    jsonb_build_object('schedule', v_before.schedule, 'is_active', v_before.is_active),
    jsonb_build_object('schedule', v_after.schedule, 'is_active', v_after.is_active)
  );
  return app.schedule_json(clock_timestamp());
end
$$;

comment on function api.set_crontab is
  'Changes when a scheduled job runs, in the time zone of the store, or switches it on or off. Returns what '
  'get_crontab returns. Serves PUT /adminapi/system/crontab.';

grant execute on function api.set_crontab(text, text, boolean) to store_admin;
