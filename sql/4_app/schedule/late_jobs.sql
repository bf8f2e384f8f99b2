-- The time since a job should have run is measured from its last start, its last change or the start of the server, the latest
-- of the three: the job could not run before.
-- Security definer: client roles may not read the tables of pg_cron.
-- The runs of a job are read by primary key, newest first, so that a job with many runs costs little.
create or replace function app.late_jobs(p_now timestamptz, p_name text default null)
returns table (name text, last_run timestamptz)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    return;
  end if;
  return query execute $sql$
    select j.name, r.last_run
    from app.scheduled_jobs as j
    cross join lateral (
      select (
        select d.start_time from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
        where c.jobname = j.name and d.start_time is not null order by d.runid desc limit 1
      ) as last_run
    ) as r
    cross join lateral (
      select case
        when j.schedule ~ '^\* ' then interval '1 minute'
        when j.schedule ~ '^\*/' then split_part(split_part(j.schedule, ' ', 1), '/', 2)::integer * interval '1 minute'
        when j.schedule ~ '^\S+ \*' then interval '1 hour'
        when j.schedule ~ '\*$' then interval '1 day'
        else interval '7 days'
      end as period
    ) as p
    where j.is_active and ($2 is null or j.name = $2)
      and greatest(r.last_run, j.changed_at, pg_postmaster_start_time()) < $1 - p.period - least(p.period, interval '1 hour') - interval '5 minutes'
    order by j.name
  $sql$ using p_now, p_name;
end
$$;

comment on function app.late_jobs is
  'Returns the active scheduled jobs that did not run when they were due, with the start of their latest run; p_name limits '
  'the result to one job. A job is late if its latest run started more than two periods and five minutes ago; the second period '
  'counts as an hour at most. Without pg_cron, no job is late.';

grant execute on function app.late_jobs(timestamptz, text) to store_admin;
