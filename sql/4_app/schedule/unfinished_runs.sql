-- A job that is switched off is not continued until it is switched on again.
create or replace function app.unfinished_runs()
returns table (job text, from_day date, to_day date)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select c.job, c.from_day, c.to_day
  from app.job_runs as c join app.scheduled_jobs as j on j.name = c.job
  where j.is_active and c.cut_at is not null and c.ended_at is null and c.completed_at is null
    and not exists (
      select from app.job_runs as r
      where r.job = c.job and r.ended_at is null and r.cut_at is null and r.completed_at is null and app.is_running(r)
    )
  group by c.job, c.from_day, c.to_day
  order by max(c.started_at), c.job, c.from_day, c.to_day
$$;

comment on function app.unfinished_runs is
  'Returns the active jobs with a cut run whose work is not completed and that no run continues now, with the days that it was called '
  'for, the one that was tried longest ago first.';
