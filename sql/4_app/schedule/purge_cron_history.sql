create or replace function app.purge_cron_history(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  execute 'delete from cron.job_run_details where end_time < $1' using p_now - interval '30 days';
  execute $sql$
    select cron.unschedule(j.jobname) from cron.job as j
    where j.jobname like '%:now' and exists (select from cron.job_run_details as r where r.jobid = j.jobid and r.end_time is not null)
  $sql$;
end
$$;

comment on function app.purge_cron_history is
  'Deletes the run history of pg_cron that is older than 30 days, and one-time jobs that have run.';
