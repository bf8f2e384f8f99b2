-- A request cannot run the job itself: some jobs commit while they run.
-- Precondition: runs as the owner of the store, who owns the jobs of pg_cron.
-- Raises: crontab_not_found, schedule_unavailable.
-- Idempotent: a repeated call replaces the one-time job.
create or replace function app.run_job_now(p_name text, p_now timestamptz)
returns timestamptz
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- pg_cron reads its jobs at the start of each minute, so a minute that starts within five seconds may be too early.
  v_minute timestamptz := date_trunc('minute', p_now + interval '65 seconds');
  v_command text := (select j.command from app.scheduled_jobs as j where j.name = p_name);
begin
  if v_command is null then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.require_scheduler();
  execute 'select cron.schedule($1, $2, $3)'
  using p_name || ':now', to_char(v_minute at time zone 'UTC', 'FMMI FMHH24 FMDD FMMM "*"'), v_command;
  return v_minute;
end
$$;

comment on function app.run_job_now is
  'Schedules a job to run once, in the next minute, and returns that minute. The one-time job is named <name>:now; '
  'purge_cron_history removes it.';
