create or replace function app.health_json(p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'status', case
      when j.dead > 0 or j.is_late or s.state <> 'ok' then 'degraded'
      else 'ok'
    end,
    'waiting_jobs', j.waiting, 'dead_jobs', j.dead, 'due_since', app.utc(j.due_since), 'import_since', app.utc(j.import_since), 'scheduler', s.state,
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
  from app.settlement_job_state(p_now) as j
  cross join app.scheduler_state(p_now) as s (state)
$$;

comment on function app.health_json is
  'Returns the health of the background work at p_now: settlement jobs, the scheduler, and the last finished '
  'release. The status is ok or degraded.';
