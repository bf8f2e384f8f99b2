-- Of the schedule it checks settle_waiting_orders alone: it runs every minute, so it is the first to be late when the scheduler
-- stops.
create or replace function app.health_json(p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'status', case
      when j.dead > 0 or j.is_late or s.is_late then 'degraded'
      else 'ok'
    end,
    'waiting_jobs', j.waiting, 'dead_jobs', j.dead, 'due_since', app.utc(j.due_since), 'scheduler_is_late', s.is_late,
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
  from app.settlement_job_state(p_now) as j
  cross join (select exists (select from app.late_jobs(p_now, 'settle_waiting_orders')) as is_late) as s
$$;

comment on function app.health_json is
  'Returns the health of the background work at p_now: settlement jobs, lateness of the scheduler, and the last finished '
  'release. The status is ok or degraded.';
