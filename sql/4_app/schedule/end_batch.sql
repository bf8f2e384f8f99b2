-- Called in the transaction of the batch, whose duration is that of the transaction so far.
-- A batch of twice the size then takes about half of the limit. With a higher threshold, it could take all of it.
-- Locks: the row of the run.
create or replace function app.end_batch(p_run bigint)
returns integer
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r
  set batches = r.batches + 1,
    halvings = case when l.is_none or clock_timestamp() - transaction_timestamp() < l.duration / 4 then greatest(r.halvings - 1, 0) else r.halvings end
  from (
    select s.duration, s.duration = interval '0' as is_none from (select current_setting('statement_timeout')::interval as duration) as s
  ) as l
  where r.id = p_run
  returning greatest(r.usual_batch >> r.halvings, 1)
$$;

comment on function app.end_batch is
  'Counts a batch of a run and returns the size of the next one: twice the size, up to the usual one, if the batch took less than a '
  'quarter of the statement timeout.';
