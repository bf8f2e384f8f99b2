-- How many orders wait for their settlement, how many settlements have failed for good, since when the oldest one that waits is
-- due, and whether that is late: the sweep takes every due job within a minute, so five minutes are too long.
-- Callers: health_json, api.get_overview, verify_schedule. Reads only, by index but for the count of the jobs.
create or replace function app.settlement_job_state(p_now timestamptz)
returns table (waiting bigint, dead bigint, due_since timestamptz, is_late boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select j.waiting, j.dead, j.due_since, coalesce(j.due_since < p_now - interval '5 minutes', false)
  from (
    select count(*) filter (where q.state = 'waiting') as waiting, count(*) filter (where q.state = 'dead') as dead,
      min(q.run_after) filter (where q.state = 'waiting' and q.run_after <= p_now) as due_since
    from app.settlement_jobs as q
  ) as j
$$;

grant execute on function app.settlement_job_state(timestamptz) to store_admin;
