-- Whether everything that runs by itself does, as of a moment. Of the schedule it asks for the sweep alone, which runs most often:
-- it is the first to be late when the scheduler stops, and cheap to look up.
-- Callers: get_health. Reads only, by index but for the count of the jobs.
create or replace function app.health_json(p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'status', case
      when j.dead > 0 or j.due_since < p_now - interval '5 minutes' or s.is_late then 'degraded'
      else 'ok'
    end,
    'waiting_jobs', j.waiting, 'dead_jobs', j.dead, 'due_since', app.utc(j.due_since), 'scheduler_is_late', s.is_late,
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
  from (
    select count(*) filter (where q.state = 'waiting') as waiting, count(*) filter (where q.state = 'dead') as dead,
      min(q.run_after) filter (where q.state = 'waiting' and q.run_after <= p_now) as due_since
    from app.settlement_jobs as q
  ) as j
  cross join (select exists (select from app.late_jobs(p_now, 'settle_waiting_orders')) as is_late) as s
$$;
