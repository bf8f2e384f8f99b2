-- Days of which no release has begun are released later, too: those since the first run that named no day.
create or replace function app.unfinished_release_of_month(p_month date)
returns date
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select min(d.day)
  from (
    select g.day::date from generate_series(
      (select min(r.release_date) from app.release_runs as r where not r.is_named_only)::timestamp, p_month + interval '1 month' - interval '1 day', interval '1 day'
    ) as g (day)
    union
    select r.release_date from app.release_runs as r where r.release_date < p_month + interval '1 month'
  ) as d (day)
  where not exists (select from app.release_runs as r where r.release_date = d.day and r.finished_at is not null)
$$;

comment on function app.unfinished_release_of_month is
  'Returns the first business day up to the end of a month whose release is not finished, or null. A late release reads the bill rows of its '
  'day and writes the release log of its day.';
