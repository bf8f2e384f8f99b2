begin;
\ir ../support/fixture.psql
select plan(18);

create function pg_temp.utc(p_schedule text, p_time_zone text, p_now timestamptz default '2026-07-01') returns text
language sql as $$ select app.cron_in_utc(p_schedule, p_time_zone, p_now) $$;
select is(pg_temp.utc('1 0 * * *', 'Asia/Shanghai'), '1 16 * * *', 'midnight in Shanghai is 16 o''clock of the day before');
select is(pg_temp.utc('30 23 * * *', 'Asia/Shanghai'), '30 15 * * *', 'late evening is the same day');
select is(pg_temp.utc('0 5 * * 1', 'Asia/Shanghai'), '0 21 * * 0', 'a weekday moves back with the hour');
select is(pg_temp.utc('0 20 * * 6', 'America/New_York'), '0 0 * * 0', 'a weekday moves forward over the end of the week');
select is(pg_temp.utc('0 8 * * *', 'America/New_York', '2026-01-15'), '0 13 * * *', 'a zone with summer time uses winter time in winter');
select is(pg_temp.utc('0 8 * * *', 'America/New_York', '2026-07-15'), '0 12 * * *', 'a zone with summer time uses it in summer');
select is(pg_temp.utc('1 0 * * *', 'America/New_York', '2027-03-14 07:20+00'), '1 4 * * *', 'the offset changes with the clocks, before the next midnight');
select is(pg_temp.utc('15 * * * *', 'Asia/Kolkata'), '45 * * * *', 'a half-hour offset moves an hourly job');
select is(pg_temp.utc('*/5 * * * *', 'Asia/Shanghai'), '*/5 * * * *', 'a job that runs every few minutes is not moved');
select is(pg_temp.utc('* * * * *', 'Asia/Shanghai'), '* * * * *', 'a job that runs every minute is not moved');
select throws_ok(format('select pg_temp.utc(%L, ''UTC'')', s), 'PT422', 'invalid_argument', coalesce(format('rejected: %s', s), 'none'))
from unnest(array['60 0 * * *', '0 24 * * *', '* 0 * * *', '0 0 1 * *', '1 0 * * *; drop table x', '*/60 * * * *', '*/0 * * * *']) as s;

create function pg_temp.next(p_schedule text) returns timestamptz language sql as $$
  select app.next_run((select jsonb_populate_record(j, jsonb_build_object('schedule', p_schedule)) from app.scheduled_jobs as j limit 1), '2026-11-20 15:30:30+00')
$$;
select results_eq(
  $$ select pg_temp.next(s) from unnest(array['1 0 * * *', '0 * * * *', '*/7 * * * *', '0 9 * * 1']) with ordinality as t (s, n) order by n $$,
  $$ values (timestamptz '2026-11-20 16:01+00'), ('2026-11-20 16:00+00'), ('2026-11-20 15:35+00'), ('2026-11-23 01:00+00') $$,
  'due next: 00:01 tomorrow, the full hour, the next multiple of seven minutes, Monday at nine'
);

select * from finish();
rollback;
