-- Locks: the rows of the run and of the cut runs before it, skipping those that another run completes.
-- Idempotent: a run ends once.
create or replace function app.end_run(p_run bigint)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r set ended_at = clock_timestamp() where r.id = p_run and r.ended_at is null and r.cut_at is null;
  update app.job_runs as r
  set completed_at = clock_timestamp()
  where r.id = any (array(
    select c.id
    from app.job_runs as c
    join app.job_runs as n on n.id = p_run and n.job = c.job and (n.from_day, n.to_day) is not distinct from (c.from_day, c.to_day)
    where c.id < p_run and c.cut_at is not null and c.ended_at is null and c.completed_at is null
    order by c.id
    for update of c skip locked
  ))
$$;

comment on function app.end_run is
  'Records that a run has done all there was to do, and that what earlier runs of the job for the same days left is completed.';
