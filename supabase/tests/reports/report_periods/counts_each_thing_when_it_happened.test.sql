begin;
\ir ../../support/fixture.psql
\ir ../../support/reports.psql
select plan(7);

create function pg_temp.periods(p_unit text, p_first date, p_last date) returns table (line text) language sql as $$
  select pg_temp.line(p) from app.report_periods(p_unit, p_first, p_last) as p
  where (p.orders, p.paid, p.refunded, p.members) <> (0, 0, 0, 0) order by p.begins_at
$$;

-- Day, orders, of them with queue goods, paid, refunded, revenue of queue goods, commission, points, members.
select results_eq($$ select line from pg_temp.periods('day', '2020-02-29', '2020-04-02') $$, array[
  '2020-02-29 0 0 0.00 0.00 0.00 0.00 0 1', '2020-03-01 1 1 3600.00 0.00 3600.00 0.00 0 0',
    '2020-03-02 1 1 3815.80 0.00 3600.00 720.00 720 1',
  '2020-03-09 0 0 0.00 99.90 0.00 0.00 0 0', '2020-04-01 0 0 0.00 3600.00 -3600.00 -720.00 -720 0'
],
'orders on the day of their payment, refunds on their own day, commission when it was booked, members when they joined');
select results_eq($$ select line from pg_temp.periods('week', '2020-02-24', '2020-03-15') $$, array[
  '2020-02-24 1 1 3600.00 0.00 3600.00 0.00 0 1', '2020-03-02 1 1 3815.80 0.00 3600.00 720.00 720 1',
    '2020-03-09 0 0 0.00 99.90 0.00 0.00 0 0'
], 'weeks from Monday to Sunday');
select results_eq($$ select line from pg_temp.periods('month', '2020-02-01', '2020-04-30') $$, array[
  '2020-02-01 0 0 0.00 0.00 0.00 0.00 0 1', '2020-03-01 2 2 7415.80 99.90 7200.00 720.00 720 1',
    '2020-04-01 0 0 0.00 3600.00 -3600.00 -720.00 -720 0'
], 'months');
select results_eq($$
  select pg_temp.line(p) || ' ' || to_char(p.begins_at at time zone 'Asia/Shanghai', 'HH24')
  from app.report_periods('hour', '2020-03-01', '2020-03-02') as p
  where (p.orders, p.members) <> (0, 0) order by p.begins_at
$$,
array['2020-03-01 1 1 3600.00 0.00 3600.00 0.00 0 0 23', '2020-03-02 1 1 3815.80 0.00 3600.00 720.00 720 0 00',
'2020-03-02 0 0 0.00 0.00 0.00 0.00 0 1 10'],
'hours');
select is(
  (select count(*) from app.report_periods('hour', '2020-03-01', '2020-03-02')), 48::bigint, 'two days have 48 hours'
);
select set_eq($$ select day, queue_revenue, commission, points_frozen
  from app.report_periods('day', '2020-03-01', '2020-04-02') $$,
  $$ select day, queue_revenue, commission, points_frozen
  from app.overview_days('2020-04-02', 33) $$, 'the figures of the overview');

update app.settings set time_zone = 'America/New_York';
select results_eq($$ select (select count(*) from app.report_periods('hour', d, d))
  from unnest(array[date '2026-03-08', '2026-11-01', '2026-11-02']) as d $$,
  array[23, 25, 24]::bigint[], 'a day on which clocks change has an hour less or more');

select * from finish();
rollback;
