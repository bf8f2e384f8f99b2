begin;
\ir ../support/fixture.psql
select plan(22);

create function pg_temp.utc(p_schedule text, p_time_zone text, p_now timestamptz default '2026-07-01') returns text
language sql as $$ select app.cron_in_utc(p_schedule, p_time_zone, p_now) $$;
select is(
  pg_temp.utc('1 0 * * *', 'Asia/Shanghai'), '1 16 * * *', 'midnight in Shanghai is 16 o''clock of the day before'
);
select is(pg_temp.utc('30 23 * * *', 'Asia/Shanghai'), '30 15 * * *', 'late evening is the same day');
select is(pg_temp.utc('0 5 * * 1', 'Asia/Shanghai'), '0 21 * * 0', 'a weekday moves back with the hour');
select is(
  pg_temp.utc('0 20 * * 6', 'America/New_York'), '0 0 * * 0', 'a weekday moves forward over the end of the week'
);
select is(pg_temp.utc('0 5 * * 0', 'Asia/Shanghai'), '0 21 * * 6', 'and back over the beginning of the week');
select is(pg_temp.utc('0 12 * * 3', 'Asia/Shanghai'), '0 4 * * 3', 'it stays where the hour moves within the day');
select is(pg_temp.utc('0 20 * * 2', 'America/New_York'), '0 0 * * 3', 'and moves forward within the week');
select is(
  pg_temp.utc('0 8 * * *', 'America/New_York', '2026-01-15'), '0 13 * * *',
  'a zone with summer time uses winter time in winter'
);
select is(
  pg_temp.utc('0 8 * * *', 'America/New_York', '2026-07-15'), '0 12 * * *', 'a zone with summer time uses it in summer'
);
select is(
  pg_temp.utc('1 0 * * *', 'America/New_York', '2027-03-14 07:20+00'), '1 4 * * *',
  'the offset changes with the clocks, before the next midnight'
);
select is(pg_temp.utc('15 * * * *', 'Asia/Kolkata'), '45 * * * *', 'a half-hour offset moves an hourly job');
select is(pg_temp.utc('*/5 * * * *', 'Asia/Shanghai'), '*/5 * * * *', 'a job that runs every few minutes is not moved');
select is(pg_temp.utc('* * * * *', 'Asia/Shanghai'), '* * * * *', 'a job that runs every minute is not moved');
select throws_ok(
  format('select pg_temp.utc(%L, ''UTC'')', s), 'PT422', 'invalid_argument', coalesce(format('rejected: %s', s), 'none')
)
from unnest(
  array['60 0 * * *', '0 24 * * *', '* 0 * * *', '0 0 1 * *', '1 0 * * *; drop table x', '*/60 * * * *', '*/0 * * * *']
) as s;

create function pg_temp.next(
  p_schedule text, p_now timestamptz default '2026-11-20 15:30:30+00'
) returns timestamptz language sql as $$
  select app.next_run(
    (
      select jsonb_populate_record(j, jsonb_build_object('schedule', p_schedule, 'is_active', true))
      from app.scheduled_jobs as j limit 1
    ),
    p_now
  )
$$;
select results_eq(
  $$ select pg_temp.next(s)
  from unnest(array['1 0 * * *', '0 * * * *', '*/7 * * * *', '0 9 * * 1']) with ordinality as t (s, n) order by n $$,
  $$ values (timestamptz '2026-11-20 16:01+00'), ('2026-11-20 16:00+00'), ('2026-11-20 15:35+00'),
  ('2026-11-23 01:00+00') $$,
  'due next: 00:01 tomorrow, the full hour, the next multiple of seven minutes, Monday at nine'
);

-- What a schedule says, minute by minute, in a week in which the clocks of the zone change.
update app.settings set time_zone = 'America/New_York';
create function pg_temp.minute_by_minute(p_schedule text, p_now timestamptz) returns timestamptz language sql as $$
  select min(m.minute)
  from generate_series(
    date_trunc('minute', p_now) + interval '1 minute', p_now + interval '8 days', interval '1 minute'
  ) as m (minute)
  cross join lateral (
    select m.minute at time zone 'America/New_York' as local, string_to_array(p_schedule, ' ') as field
  ) as t
  -- An hour that the clock has left out takes place in the hour after it, for what is due once a day.
  cross join lateral (
    select t.local as at
    union all
    select t.local - interval '1 hour'
    where t.field[2] <> '*' and (t.local - interval '1 hour') at time zone 'America/New_York' = m.minute
  ) as l
  where (t.field[1] = '*' or case
    when t.field[1] like '*/%' then extract(minute from l.at)::integer % substr(t.field[1], 3)::integer = 0
      else extract(minute from l.at) = t.field[1]::integer end)
    and (t.field[2] = '*' or extract(hour from l.at) = t.field[2]::integer)
    and (t.field[5] = '*' or extract(dow from l.at) = t.field[5]::integer)
$$;
select is_empty($$
  select s.schedule, n.now, pg_temp.next(s.schedule, n.now)
  from unnest(
    array['* * * * *', '*/7 * * * *', '59 * * * *', '0 0 * * *', '30 1 * * *', '30 2 * * *', '30 2 * * 0', '30 1 * * 0']
  ) as s (schedule)
  cross join unnest(
    array['2026-03-08 05:10+00', '2026-03-08 06:59:59+00', '2026-11-01 04:10+00', '2026-11-01 05:30+00',
    '2026-11-01 06:30+00']::timestamptz[]
  ) as n (now)
  where pg_temp.next(s.schedule, n.now) is distinct from pg_temp.minute_by_minute(s.schedule, n.now)
$$, 'the same as a search minute by minute, also where a local time is left out or comes twice');

select * from finish();
rollback;
