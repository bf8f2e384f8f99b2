-- It also runs every hour, because the UTC offset of the store's time zone may change.
-- Precondition: runs as the owner of the store, who owns the jobs of pg_cron. A cluster has pg_cron in one database only, so a
-- clone that was made for a test has none.
-- Idempotent: pg_cron replaces a job of the same name.
create or replace function app.apply_schedule(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_job app.scheduled_jobs;
begin
  if to_regclass('cron.job') is null then
    raise warning 'pg_cron is not installed in this database, so no scheduled job runs.'
      using hint = 'Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()';
    return;
  end if;
  for v_job in select j.* from app.scheduled_jobs as j order by j.name loop
    if v_job.is_active then
      execute 'select cron.schedule($1, $2, $3)'
      using v_job.name, app.cron_in_utc(v_job.schedule, (select s.time_zone from app.settings as s), p_now), v_job.command;
    else
      execute 'select cron.unschedule(j.jobname) from cron.job as j where j.jobname = $1' using v_job.name;
    end if;
  end loop;
end
$$;

comment on function app.apply_schedule is
  'Schedules the active jobs of app.scheduled_jobs in pg_cron, with their times in UTC, and unschedules the others. Without '
  'pg_cron it does nothing.';
