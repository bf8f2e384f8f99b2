-- Notes what came of a run that has walked all members of a business day: the day is finished if it could release everyone.
-- What it knows is its own: a run beside it, or before it, may have failed on others, and finishes nothing by itself.
-- Callers: release_frozen_points. Locks: the row of the run. Safe twice: a finished day stays as it is.
create or replace function app.end_release(p_release_date date, p_failures integer, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_runs as r
  set failures = p_failures, last_error = case when p_failures > 0 then r.last_error end,
      -- A run with an earlier time of its own may end last.
      finished_at = case when p_failures = 0 then greatest(p_now, r.started_at) end
  where r.release_date = p_release_date and r.finished_at is null
$$;
