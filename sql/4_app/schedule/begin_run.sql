-- The caller commits before its first batch, so that the record remains if the run is cut.
-- A batch that was cut before it could be committed is too large for the statement timeout, so the next run halves it. A run that
-- committed batches before it was cut was long, but its batches were not too large. app.end_batch doubles the size again.
-- Locks: the rows of the runs that were cut.
-- Not idempotent: each call is one more run.
create or replace function app.begin_run(
  p_job text, p_batch integer, p_from_day date default null, p_to_day date default null, out id bigint, out batch integer
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_halvings smallint;
begin
  perform app.mark_cut_runs(p_job);
  select case when r.cut_at is not null and r.batches = 0 and p_batch >> r.halvings > 1 then r.halvings + 1 else r.halvings end
  into v_halvings
  from app.job_runs as r
  where r.job = p_job and (r.ended_at is not null or r.cut_at is not null)
  order by r.id desc
  limit 1;
  insert into app.job_runs as r (job, from_day, to_day, started_at, usual_batch, halvings, pid, backend_start, query_start)
  select p_job, p_from_day, p_to_day, clock_timestamp(), p_batch, coalesce(v_halvings, 0), a.pid, a.backend_start, a.query_start
  from pg_stat_activity as a
  where a.pid = pg_backend_pid()
  returning r.id into id;
  batch := greatest(p_batch >> coalesce(v_halvings, 0), 1);
end
$$;

comment on function app.begin_run is
  'Records that a run of a scheduled job has started, for which days, and which earlier runs of the job were cut. Returns the number '
  'of the run and the size of its first batch: p_batch, or less if earlier batches were too large for the statement timeout.';
