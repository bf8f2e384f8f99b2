-- Called in the transaction of the batch.
-- Locks: the row of the run.
create or replace function app.end_batch(p_run bigint)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r set batches = r.batches + 1 where r.id = p_run
$$;

comment on function app.end_batch is 'Counts a batch of a run.';
