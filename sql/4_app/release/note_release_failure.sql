-- Locks: the row of the run.
-- A retry counts the failure again; end_release then sets the final count.
create or replace function app.note_release_failure(p_release_date date, p_uid bigint, p_error text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_runs as r
  set failures = r.failures + 1, last_error = left(format('uid %s: %s', p_uid, p_error), 500)
  where r.release_date = p_release_date and r.finished_at is null
$$;

comment on function app.note_release_failure is
  'Records in the run of a business day that the release of one member failed, with the error.';
