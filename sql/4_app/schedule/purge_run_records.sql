-- A cut run stays until what it left is completed.
-- Idempotent: what is deleted is gone.
create or replace function app.purge_run_records(p_now timestamptz, p_limit integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before timestamptz := p_now - interval '30 days';
  v_runs integer;
  v_records integer := 0;
begin
  delete from app.job_runs as r
  where r.id = any (array(
    select o.id from app.job_runs as o where coalesce(o.ended_at, o.completed_at) < v_before order by o.id limit p_limit
  ));
  get diagnostics v_runs = row_count;
  if to_regclass('cron.job') is not null then
    execute $sql$
      delete from cron.job_run_details as d
      where d.runid = any (array(select o.runid from cron.job_run_details as o where o.end_time < $1 order by o.runid limit $2))
    $sql$ using v_before, p_limit;
    get diagnostics v_records = row_count;
    execute $sql$
      select cron.unschedule(j.jobname) from cron.job as j
      where j.jobname like '%:now' and exists (select from cron.job_run_details as r where r.jobid = j.jobid and r.end_time is not null)
    $sql$;
  end if;
  return greatest(v_runs, v_records) = p_limit;
end
$$;

comment on function app.purge_run_records is
  'Deletes up to p_limit records of runs that are older than 30 days, the store''s and pg_cron''s, and one-time jobs that have '
  'run. Returns whether more may be left.';
