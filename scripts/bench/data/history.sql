-- A release of 6 points a member on each day from 2020 on, as the daily job would have booked them, in one statement
-- for each table. Every member has 15000 + 6 * p_days frozen points before.
create procedure bench.write_history(p_days integer)
language plpgsql
as $$
begin
  call app.ensure_month_partitions('2020-01-01', ('2020-01-01'::date + p_days + 31));
  update app.user_balances set frozen_points = 15000, available_points = 6 * p_days;
  insert into app.release_runs (release_date, started_at, finished_at, users, points)
  select d.day, d.at, d.at, m.members, 6 * m.members
  from bench.days(p_days) as d cross join (select count(*)::integer as members from app.user_balances) as m;
  insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
  select b.uid, d.day, 15000 + 6 * (p_days - d.number + 1), 6, 15000 + 6 * (p_days - d.number), d.at
  from bench.days(p_days) as d cross join app.user_balances as b;
  insert into app.user_bill (
    uid, type, source, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, basis, rate,
    add_time
  )
  select b.uid, 'frozen_points_release', 'release', -6, 6, 0, 15000 + 6 * (p_days - d.number), 6 * d.number, 15000,
    0.0004, d.at
  from bench.days(p_days) as d cross join app.user_balances as b;
end
$$;

create function bench.days(p_days integer) returns table (number integer, day date, at timestamptz)
language sql
as $$
  select n, '2020-01-01'::date + n - 1,
    ('2020-01-01'::date + n - 1)::timestamp at time zone 'Asia/Shanghai' + interval '1 minute'
  from generate_series(1, p_days) as n
$$;

-- Closes the months that are over before the last p_open days of the history.
create procedure bench.close_months(p_days integer, p_open integer)
language sql
as $$
  select app.close_month(to_char(m.month, 'YYYY-MM'), null)
  from generate_series(
    '2019-12-01',
    date_trunc('month', '2020-01-01'::timestamp + (p_days - p_open) * interval '1 day') - interval '1 month',
    interval '1 month'
  ) as m (month)
$$;
