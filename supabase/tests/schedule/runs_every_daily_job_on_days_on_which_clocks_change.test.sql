-- In Havana, clocks change at midnight, when most jobs of a day are due; in New York and Berlin, at night; on Lord Howe
-- Island by half an hour.
begin;
\ir ../support/fixture.psql
select plan(4);

-- What pg_cron does from p_from to p_to: it has what app.apply_schedule, at 20 minutes past each hour, has passed to
-- it. Between two of these times, each minute of the hour comes once.
create function pg_temp.runs(
  p_schedule text, p_zone text, p_from timestamptz, p_to timestamptz
) returns setof timestamptz language sql as $$
  select r.at
  from generate_series(p_from + interval '20 minutes', p_to, interval '1 hour') as h (hour)
  cross join lateral (select string_to_array(app.cron_in_utc(p_schedule, p_zone, h.hour), ' ') as field offset 0) as c
  cross join lateral (select date_trunc('hour', h.hour, 'UTC') + c.field[1]::integer * interval '1 minute' as at) as m
  cross join lateral (select case when m.at > h.hour then m.at else m.at + interval '1 hour' end as at) as r
  where extract(hour from r.at at time zone 'UTC') = c.field[2]::integer
$$;

select is_empty(format($$
  select j.schedule, d.day::date
  from (
    select distinct j.schedule from app.scheduled_jobs as j where j.schedule ~ '^[0-9]+ [0-9]+ .* \*$'
    union values ('20 3 * * *'), ('40 2 * * *'), ('10 1 * * *')
  ) as j
  cross join generate_series(%2$L::date - 1, %2$L::date + 1, interval '1 day') as d (day)
  where not exists (
    select
    from pg_temp.runs(
      j.schedule, %1$L, app.local_day_begins(d.day::date, %1$L) - interval '12 hours',
      app.local_day_begins(d.day::date + 1, %1$L)
    ) as r (at)
    where app.local_day(r.at, %1$L) = d.day::date
  )
$$, c.zone, c.day), format('%s, %s', c.zone, c.day))
from (
  values ('America/Havana', '2026-03-08'), ('America/Havana', '2026-11-01'), ('America/New_York', '2026-03-08'),
  ('Australia/Lord_Howe', '2026-10-04')
) as c (zone, day);

select * from finish();
rollback;
