-- Hours in zones with half an hour in their offset, and on days on which clocks change, also by half an hour (Lord Howe
-- Island).
begin;
\ir ../../support/fixture.psql
select plan(12);

create temporary table people as select pg_temp.sign_up() as rita;
create function pg_temp.hours(p_zone text, p_day date) returns text[] language plpgsql as $$
begin
  update app.settings set time_zone = p_zone;
  return (
    select array_agg(
      to_char(p.begins_at at time zone p_zone, 'HH24:MI') || ' '
      || (extract(epoch from p.ends_at - p.begins_at) / 60)::integer
      order by p.begins_at
    )
    from app.report_periods('hour', p_day, p_day) as p
  );
end
$$;
-- What a day should have: every hour of the clock, from the full hour, of 60 minutes each.
create function pg_temp.full_hours(p_from integer, p_to integer) returns text[] language sql as $$
  select array_agg(to_char(h, 'FM00') || ':00 60' order by h) from generate_series(p_from, p_to) as h
$$;

select is(
  pg_temp.hours('Asia/Kolkata', '2026-03-29'), pg_temp.full_hours(0, 23),
  'Kolkata, 5:30 before UTC: hours begin with those of the store'
);
select is(pg_temp.hours('Asia/Kathmandu', '2026-03-29'), pg_temp.full_hours(0, 23), 'Kathmandu, 5:45 before UTC');
select is(
  pg_temp.hours('Australia/Adelaide', '2026-10-04'), pg_temp.full_hours(0, 1) || pg_temp.full_hours(3, 23),
  'Adelaide, clocks forward: 23 hours'
);
select is(
  pg_temp.hours('Australia/Adelaide', '2026-04-05'), pg_temp.full_hours(0, 2) || pg_temp.full_hours(2, 23),
  'Adelaide, clocks back: 25 hours, and 2 o''clock twice'
);
select
  is(pg_temp.hours('Australia/Lord_Howe', '2026-10-04'), pg_temp.full_hours(0, 1) || '02:30 30'::text
  || pg_temp.full_hours(3, 23),
  'Lord Howe, clocks half an hour forward: 2 o''clock has half an hour, and the others are whole');
select
  is(pg_temp.hours('Australia/Lord_Howe', '2026-04-05'), pg_temp.full_hours(0, 0) || '01:00 90'::text
  || pg_temp.full_hours(2, 23),
  'Lord Howe, clocks half an hour back: 1 o''clock has an hour and a half');
select is(
  pg_temp.hours('America/Havana', '2026-03-08'), pg_temp.full_hours(1, 23),
  'Havana, clocks forward at midnight: the day begins at 1 o''clock'
);
select is(
  pg_temp.hours('America/Havana', '2026-11-01'), pg_temp.full_hours(0, 0) || pg_temp.full_hours(0, 23),
  'Havana, clocks back to midnight: the day begins at the first midnight'
);

-- Nothing of a day is left out or counted twice.
update app.settings set time_zone = 'Australia/Lord_Howe';
update app.users set add_time = app.day_begins('2026-04-06') - interval '1 minute'
where uid = (select rita from people);
select is(
  (select sum(p.members) from app.report_periods('hour', '2026-04-05', '2026-04-05') as p), 1::numeric,
  'who joins in the last minute of a day counts in its last hour'
);
select results_eq(format($$ select sum(p.members), min(p.begins_at), max(p.ends_at), count(distinct p.day)
  from app.report_periods('hour', %L, %L) as p $$, d.first, d.last),
  format($$ values (1::numeric, app.day_begins(%L), app.day_begins(%L), 2::bigint) $$, d.first, d.last + 1),
  format('the hours from %s to %s are those of their days', d.first, d.last))
from (values (date '2026-04-05', date '2026-04-06'), (date '2026-04-04', date '2026-04-05')) as d (first, last);
select is(
  (select sum(d.members) from app.report_periods('day', '2026-04-04', '2026-04-06') as d), 1::numeric, 'as by day'
);

select * from finish();
rollback;
