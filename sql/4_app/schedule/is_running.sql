-- What the caller's role may not see of another session is null; such a run counts as running until its process is gone.
create or replace function app.is_running(p_run app.job_runs)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_run.ended_at is null and p_run.cut_at is null and exists (
    select from pg_stat_activity as a
    where a.pid = p_run.pid and coalesce(a.backend_start = p_run.backend_start, true)
      and coalesce(a.state = 'active' and a.query_start = p_run.query_start, true)
  )
$$;

comment on function app.is_running is 'Returns whether the statement that started this run is still running.';
