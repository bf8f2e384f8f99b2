-- A run counts only its own failures: even if a concurrent run failed for other members, this run can finish the day.
-- Locks: the row of the run.
-- Idempotent: a finished day stays as it is.
create or replace function app.end_release(p_release_date date, p_failures integer, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_runs as r
  set failures = p_failures, last_error = case when p_failures > 0 then r.last_error end,
      -- A concurrent run with an earlier p_now may end last.
      finished_at = case when p_failures = 0 then greatest(p_now, r.started_at) end
  where r.release_date = p_release_date and r.finished_at is null
$$;

comment on function app.end_release is
  'Records the result of a run that has visited all members of a business day. The day is finished if the run had no failures.';
