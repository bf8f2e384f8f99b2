begin;
\ir ../../support/fixture.psql
\ir ../../support/reports.psql
select plan(16);

create function pg_temp.checked(p_unit text, p_from date, p_to date) returns text language sql as $$ select c.first
  || ' ' || c.last
  from app.check_report(p_unit, p_from, p_to) as c $$;
create function pg_temp.compared(p_unit text, p_compare text, p_first date, p_last date) returns text language sql as $$
  select c.first || ' ' || c.last from app.compared_days(p_unit, p_compare, p_first, p_last) as c
$$;
select is(
  pg_temp.checked('week', '2025-11-26', '2025-11-26'), '2025-11-24 2025-11-30', 'a week is whole, from Monday to Sunday'
);
select is(pg_temp.checked('month', '2025-02-10', '2025-11-26'), '2025-02-01 2025-11-30', 'months are whole');
select throws_ok(
  format('select pg_temp.checked(%L, %L, %L)', c.unit, c.first, c.last), 'PT422', 'invalid_argument',
  format('too many: %s', c.unit)
)
from (
  values ('hour', '2025-11-01', '2025-11-03'), ('day', '2025-01-01', '2026-02-05'),
  ('week', '2024-01-01', '2026-02-09'), ('month', '2021-01-01', '2026-01-01')
) as c (unit, first, last);
select lives_ok($$ select pg_temp.checked(c.unit, c.first::date, c.last::date)
  from (
    values ('hour', '2025-11-01', '2025-11-02'), ('day', '2025-01-01', '2026-02-04'),
    ('week', '2024-01-01', '2026-02-08'), ('month', '2021-01-01', '2025-12-31')
  ) as c (unit, first, last) $$,
  'as many as are allowed: 48 hours, 400 days, 110 weeks, 60 months');
select is(
  pg_temp.compared('month', 'before', '2026-02-01', '2026-03-31'), '2025-12-01 2026-01-31',
  'the two months before, although they are longer'
);
select is(
  pg_temp.compared('day', 'before', '2025-11-01', '2025-11-30'), '2025-10-02 2025-10-31', 'the thirty days before'
);
select is(
  pg_temp.compared('week', 'year', '2025-11-24', '2025-11-30'), '2024-11-25 2024-12-01',
  'the same week of 52 weeks ago, from Monday to Sunday'
);

select set_config(
  'request.jwt.claims', jsonb_build_object('sub', pg_temp.administrator(), 'role', 'store_admin')::text, true
);
select is(jsonb_array_length(api.get_report() -> 'periods'), 30, 'thirty days by default');
select is(
  api.get_report('day', '2020-03-02', '2020-03-03', 'before') #> '{compared,over}' ->> 'paid', '3600.00',
  'the figures of the days before'
);
select is(
  api.get_report('day', '2020-03-02', '2020-03-03', 'year') -> 'compared', 'null',
  'there is no year before the first member'
);
-- Today is not over, so neither it nor the day that it would be compared with counts.
select pg_temp.report(rita) from people;
select pg_temp.report(rita, 1, now() - interval '1 day') from people;
select results_eq($$
  select r #>> '{totals,orders}', r #>> '{over,orders}', r #>> '{compared,over,orders}'
  from api.get_report('day', app.business_day(now()), app.business_day(now()), 'before') as r
$$, $$ values ('1', '0', '0') $$, 'only periods that are over are compared');

-- Clocks are put forward on 9 March 2025 at 2 o'clock and back on 2 November at 2 o'clock in New York.
update app.settings set time_zone = 'America/New_York';
update app.users set add_time = '2025-03-08 23:30:00-05' where uid = (select rita from people);
select is(
  api.get_report('hour', '2025-03-09', '2025-03-09', 'before') #>> '{compared,over,members}', '1',
  'a day of 23 hours is compared with all hours of the day before'
);
update app.users set add_time = '2025-11-02 23:30:00-05' where uid = (select rita from people);
select is(
  api.get_report('hour', '2025-11-03', '2025-11-03', 'before') #>> '{compared,over,members}', '1',
  'and a day after one of 25 hours with all of them'
);

select * from finish();
rollback;
