begin;
\ir ../../support/fixture.psql
select plan(7);

-- The business day of 2020-03-02 begins at 16:00 UTC of the day before.
create temporary table member as select pg_temp.sign_up() as referrer;
create temporary table buyer as select pg_temp.sign_up(referrer::text) as uid from member;
select pg_temp.report(referrer, 1, '2020-03-01 15:59:59+00') from member;
create temporary table sold as select pg_temp.report(uid, 2, '2020-03-01 16:00:00+00') as id from buyer;
create function pg_temp.days() returns table (line text) language sql as $$
  select concat_ws(
    ' ', d.day, d.orders, d.queue_orders, d.queue_revenue, d.commission, trim_scale(d.points_frozen),
    trim_scale(d.points_released)
  )
  from app.overview_days('2020-03-03', 3) as d
$$;

select results_eq('select line from pg_temp.days()', array[
  '2020-03-01 1 1 3600.00 0.00 0 0', '2020-03-02 1 1 7200.00 1440.00 1440 0', '2020-03-03 0 0 0.00 0.00 0 0'
], 'orders and their commission by business day');

insert into app.release_runs (release_date, started_at) values ('2020-03-03', now());
select app.release_chunk('2020-03-03', array[referrer], '2020-03-02 16:01:00+00') from member;
update app.release_runs set points = 0.576 where release_date = '2020-03-03';
select app.refund_order(
  id,
  (
    select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
    where l.order_id = s.id
  ),
  null, '2020-03-03 02:00:00+00'
)
from sold as s;
select results_eq('select line from pg_temp.days()', array[
  '2020-03-01 1 1 3600.00 0.00 0 0', '2020-03-02 1 1 7200.00 1440.00 1440 0',
    '2020-03-03 0 0 -3600.00 -720.00 -720 0.576'
],
'a refund lowers revenue, commission and points of its own day, and nothing of the day of the sale, which is over; a release is neither');

select app.refund_order(id, null, null, '2020-03-03 03:00:00+00') from sold;
select results_eq('select line from pg_temp.days()', array[
  '2020-03-01 1 1 3600.00 0.00 0 0', '2020-03-02 1 1 7200.00 1440.00 1440 0',
    '2020-03-03 0 0 -7200.00 -1440.00 -1440 0.576'
], 'an order that is refunded in whole remains an order of its day');

insert into app.user_bill (
  uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
  add_time
)
select uid, 'opening_balance', 'import', 500, 40, 0, 500, 40, 0, '2020-03-03 04:00:00+00' from buyer;
select is(
  (select commission from app.overview_days('2020-03-03', 1)), -1440.00,
  'what an imported member brought was not earned on that day'
);

select set_config(
  'request.jwt.claims', jsonb_build_object('sub', pg_temp.administrator(), 'role', 'store_admin')::text, true
);
select is(jsonb_array_length(api.get_overview() -> 'days'), 30, 'thirty days by default');
select throws_ok('select api.get_overview(0)', 'PT422', 'invalid_argument', 'less than one day is rejected');
select throws_ok('select api.get_overview(367)', 'PT422', 'invalid_argument', 'more than 366 days are rejected');

select * from finish();
rollback;
