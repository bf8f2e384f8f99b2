-- Locks: the row of the run.
-- Idempotent: a run that continues keeps its record.
create or replace function app.begin_release(p_release_date date, p_is_named boolean, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.release_runs as r (release_date, started_at, is_named_only) values (p_release_date, p_now, p_is_named)
  on conflict (release_date) do update set is_named_only = r.is_named_only and excluded.is_named_only
$$;

comment on function app.begin_release is
  'Records that the release of a business day has started. A run for an explicit day (p_is_named) does not make the days after '
  'it count as missed.';
