-- Tells pg_cron what app.scheduled_jobs says, in UTC. Runs every hour too, because the offset of a time zone may change.
-- Callers: set_schedule, set_settings, pg_cron, the first set-up. Safe twice: a job of the same name is replaced.
-- Run by the owner of the store, whose jobs they are. Without pg_cron (a clone made for a test: a cluster has
-- it in one database only) nothing is scheduled.
create or replace function app.apply_schedule(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_job app.scheduled_jobs;
begin
  if to_regclass('cron.job') is null then
    raise notice 'pg_cron is not installed in this database: nothing is scheduled';
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
