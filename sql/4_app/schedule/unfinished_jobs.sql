create or replace function app.unfinished_jobs()
returns text[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select c.job
    from app.job_runs as c
    where c.cut_at is not null and c.ended_at is null and c.completed_at is null
      and not exists (
        select from app.job_runs as r
        where r.job = c.job and r.ended_at is null and r.cut_at is null and r.completed_at is null and app.is_running(r)
      )
    group by c.job
    order by max(c.started_at), c.job
  )
$$;

comment on function app.unfinished_jobs is
  'Returns the jobs with a cut run whose work is not completed and that no run continues now, the one that was tried longest ago '
  'first.';
