-- A job that waits for so long is not run at all, or fails with an error that does not count as an attempt (see postpone_job).
create or replace function app.reconcile_jobs()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'job_is_not_dead', format('order %s', j.order_id), 'settled', concat_ws(': ', format('dead after %s attempts', j.attempts), j.last_error)
  from app.settlement_jobs as j
  where j.state = 'dead'
  union all
  select 'job_is_not_late', format('order %s', j.order_id), 'settled within 2 hours', concat_ws(': ', format('waiting since %s', app.utc(j.created_at)), j.last_error)
  from app.settlement_jobs as j
  where j.state = 'waiting' and j.created_at < now() - interval '2 hours'
$$;

comment on function app.reconcile_jobs is
  'Finds dead settlement jobs, and jobs that have waited for more than two hours, which is longer than all retries of a job '
  'take.';
