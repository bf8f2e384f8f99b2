-- The age counts, not when the job is due next: a job that never gets its lock is due again ten seconds later, forever.
create or replace function app.settlement_job_state(p_now timestamptz)
returns table (waiting bigint, dead bigint, due_since timestamptz, is_late boolean, import_since timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select j.waiting, j.dead, j.due_since, coalesce(j.due_since < p_now - interval '5 minutes', false),
    (select i.started_at from app.imports as i where i.finished_at is null)
  from (
    select count(*) filter (where q.state = 'waiting') as waiting, count(*) filter (where q.state = 'dead') as dead,
      min(q.created_at) filter (where q.state = 'waiting') as due_since
    from app.settlement_jobs as q
  ) as j
$$;

comment on function app.settlement_job_state is
  'Returns how many orders wait for their settlement, how many settlements have failed for good, since when the oldest order waits, '
  'and whether it has waited too long. The scheduled settlement runs every minute, so five minutes are too long. import_since is when the unfinished '
  'import began that the settlements wait for; null if there is none.';

grant execute on function app.settlement_job_state(timestamptz) to store_admin;
