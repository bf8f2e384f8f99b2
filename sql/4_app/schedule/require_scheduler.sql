-- Refuses what needs pg_cron where it is not installed. Callers: set_schedule, run_job_now. Raises: schedule_unavailable.
create or replace function app.require_scheduler()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    perform app.fail('schedule_unavailable', 'pg_cron is not installed in this database.');
  end if;
end
$$;
