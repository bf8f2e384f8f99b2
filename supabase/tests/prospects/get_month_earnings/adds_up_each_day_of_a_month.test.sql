begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(12);

select pg_temp.create_partition('user_bill', '2025-02-01'), pg_temp.create_partition('user_bill', '2025-03-01');
create temporary table m as select pg_temp.sign_up() as me, pg_temp.sign_up() as other;
select pg_temp.report(me, 1, '2025-02-01T00:00Z') from m;
-- In Shanghai, the first order is of the last minute of 5 March and the second of the first minute of the 6th.
select pg_temp.report(pg_temp.sign_up(me::text), 1, '2025-03-05T15:59Z') from m;
create temporary table o as select pg_temp.report(pg_temp.sign_up(me::text), 1, '2025-03-05T16:01Z') as id from m;
select app.refund_order(id, null, 'all', '2025-03-20T04:00Z') from o;
create function pg_temp.month(p_month text) returns jsonb language sql as $$ select pg_temp.read(
  me, 'get_month_earnings', jsonb_strip_nulls(jsonb_build_object('p_month', p_month))
)
  from m $$;
create function pg_temp.day(p_day text) returns text language sql as $$
  select concat_ws(' ', d ->> 'commission', d ->> 'points')
  from jsonb_array_elements(pg_temp.month(left(p_day, 7)) -> 'days') as d where d ->> 'day' = p_day
$$;

select is(jsonb_array_length(pg_temp.month('2025-03') -> 'days'), 31, 'March has 31 days');
select is(jsonb_array_length(pg_temp.month('2025-02') -> 'days'), 28, 'February had 28');
select is(pg_temp.month('2025-03') #>> '{days,0,day}', '2025-03-01', 'the first day comes first');
select is(pg_temp.day('2025-03-05'), '720.00 720', 'a day has what was booked on it in the time zone of the store');
select is(pg_temp.day('2025-03-06'), '1080.00 1080', 'the next day begins at midnight there');
select is(pg_temp.day('2025-03-20'), '-1080.00 -1080', 'a refund takes back on its own day');
select is(pg_temp.day('2025-03-07'), '0.00 0', 'a day without orders has nothing');
select is(pg_temp.month('2025-03') ->> 'commission', '720.00', 'the month is the sum of its days');
select app.create_adjustment(me, 50, 0, 0, 'For a test', null, now()) from m;
select is(pg_temp.month(null) ->> 'commission', '0.00', 'what an administrator adjusts is not earned by orders');
select is(
  pg_temp.month(null) ->> 'month', to_char(app.business_day(clock_timestamp()), 'YYYY-MM'),
  'without a month, it is the present one'
);
select is(
  pg_temp.read(other, 'get_month_earnings', '{"p_month": "2025-03"}') ->> 'commission', '0.00',
  'another member has earned nothing'
)
from m;
select matches(
  pg_temp.call(
    (select u.auth_id from app.users as u, m where u.uid = m.me), 'get_month_earnings', '{"p_month": "2025-3"}',
    'authenticated'
  ),
  '^PT422', 'a month is YYYY-MM'
);

select * from finish();
rollback;
