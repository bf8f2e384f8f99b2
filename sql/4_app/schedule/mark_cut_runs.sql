-- pg_stat_activity is read once in a transaction, so what was read before is forgotten: a run that began since then would look cut.
-- Locks: the rows of the runs, skipping those that another run marks.
-- Idempotent: a run is marked once.
create or replace function app.mark_cut_runs(p_job text default null)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select pg_stat_clear_snapshot();
  update app.job_runs as r
  set cut_at = clock_timestamp()
  where r.id = any (array(
    select o.id
    from app.job_runs as o
    where o.ended_at is null and o.cut_at is null and o.completed_at is null and (p_job is null or o.job = p_job)
      and not app.is_running(o)
    order by o.id
    for update skip locked
  ))
$$;

comment on function app.mark_cut_runs is
  'Records which runs of a job, or of all jobs, were cut: those that did not end and whose statement no longer runs.';
