-- Locks: the row of the run.
create or replace function app.begin_part(p_run bigint, p_part text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r set part = p_part where r.id = p_run
$$;

comment on function app.begin_part is 'Records what a run works on from now on.';
