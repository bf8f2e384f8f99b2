-- The jobs of the schedule that did not run when they were due, with when each ran last: all, or just the one of that name.
-- A job is late when its last run began longer ago than its period and as much again, at most an hour, and five minutes. Counted
-- from when it was last changed and from when the server started, since nothing runs before. Without pg_cron: none.
-- Callers: get_health, get_overview, verify_schedule. Reads pg_cron's tables as the owner of the store; its runs by their key,
-- newest first, so that a job that runs often costs next to nothing.
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

grant execute on function app.late_jobs(timestamptz, text) to store_admin;
