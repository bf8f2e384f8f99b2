create or replace function app.unreleased_days(p_until date)
returns setof date
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select d.day
  from (
    select g.day::date from generate_series(
      (select min(r.release_date) from app.release_runs as r where not r.is_named_only)::timestamp, p_until::timestamp, interval '1 day'
    ) as g (day)
    union
    select r.release_date from app.release_runs as r where r.release_date <= p_until
  ) as d (day)
  where not exists (select from app.release_runs as r where r.release_date = d.day and r.finished_at is not null)
$$;

comment on function app.unreleased_days is
  'Returns the business days up to p_until that the next daily run releases late: every day missed since the first run that named no day, '
  'and every day whose release has begun and is not finished.';
