begin;
\ir ../support/fixture.psql
select plan(5);

update app.settings set time_zone = 'Asia/Shanghai';
select is(
  app.business_day('2026-11-20 15:59:59+00'), '2026-11-20'::date,
  'a second before midnight in the time zone of the store, it is still the same day'
);
select is(
  app.business_day('2026-11-20 16:00:00+00'), '2026-11-21'::date,
  'at midnight in the time zone of the store, the next day begins'
);
update app.settings set time_zone = 'America/New_York';
select is(app.business_day('2026-11-21 04:59:59+00'), '2026-11-20'::date, 'another time zone changes the day');

-- In Havana, Beirut and Santiago, clocks change at midnight: the first hour of a day is left out, comes twice, or
-- follows a second last hour.
create temporary table zones as select unnest(
  array['Asia/Shanghai', 'UTC', 'America/Havana', 'Asia/Beirut', 'America/Santiago', 'America/New_York',
  'Australia/Lord_Howe']
) as zone;
select is_empty($$
  select z.zone, d.day::date
  from zones as z cross join generate_series('2026-01-01'::date, '2027-12-31', interval '1 day') as d (day)
  cross join lateral app.local_day_begins(d.day::date, z.zone) as b (at)
  where (
    app.local_day(b.at, z.zone), app.local_day(b.at - interval '1 microsecond', z.zone)
  ) <> (d.day::date, d.day::date - 1)
$$, 'a day begins with the first moment that is of this day');
update app.settings set time_zone = 'America/Havana';
select results_eq($$
  select app.day_begins(d), app.business_day(app.day_begins(d)), app.release_until(d - 1), (app.day_bounds(d, d))[1],
    (app.month_bounds(date_trunc('month', d)::date)).begins_at
  from unnest('{2026-03-08, 2026-11-01}'::date[]) as d
$$,
$$ values (
  timestamptz '2026-03-08 05:00Z', date '2026-03-08', timestamptz '2026-03-08 05:00Z', timestamptz '2026-03-08 05:00Z',
  timestamptz '2026-03-01 05:00Z'
),
  ('2026-11-01 04:00Z', '2026-11-01', '2026-11-01 04:00Z', '2026-11-01 04:00Z', '2026-11-01 04:00Z') $$,
  'for the release, reports and months as well');

select * from finish();
rollback;
