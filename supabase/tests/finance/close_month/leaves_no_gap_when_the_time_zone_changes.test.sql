-- Guarantee money/month-bounds: Every bill row is in one closed month, and the statement of a month keeps its bounds,
-- however the time zone changes
-- By: a month begins where the closed month before it ends, app.month_bounds
begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as select pg_temp.buy(m.uid) as id from m;
create function pg_temp.write(p_at timestamptz) returns void language sql as $$
  insert into app.user_bill (
    uid, type, source, available_delta, order_id, brokerage_after, frozen_after, available_after, add_time
  )
  select m.uid, 'points_returned', 'checkout', 1, o.id, 0, 0, 1, p_at from m, o
$$;
create function pg_temp.close(p_month text, p_time_zone text) returns void language plpgsql as $$
begin
  update app.settings set time_zone = p_time_zone;
  perform app.close_month(p_month, null);
end
$$;
-- One row for every hour of six months, between the first and the last that are closed in any time zone.
select pg_temp.write(h.at)
from generate_series(
  '2015-03-31T16:00:00Z'::timestamptz, '2015-09-30T23:00:00Z'::timestamptz, interval '1 hour'
) as h (at);
create temporary table hours as select count(*) as rows from app.user_bill where type = 'points_returned';

select pg_temp.close('2015-04', 'Asia/Shanghai'), pg_temp.close('2015-05', 'America/New_York'),
  pg_temp.close('2015-07', 'Asia/Shanghai'),
  pg_temp.close('2015-06', 'Pacific/Auckland'), pg_temp.close('2015-08', 'Europe/London'),
  pg_temp.close('2015-09', 'UTC');
select is(
  (select sum((s ->> 'rows')::bigint) from app.closed_months as c, jsonb_array_elements(c.sums) as s),
  (select rows::numeric from hours),
  'every row is in one closed month, whatever time zone the store had when each was closed'
);
select is_empty(
  'select from app.closed_months as a join app.closed_months as b on b.month = (a.month + interval ''1 month'')::date where a.ends_at <> b.begins_at',
  'each month begins where the one before it ends'
);
select is(begins_at, '2015-03-31T16:00:00Z', 'the first begins in its own time zone') from app.closed_months
where month = '2015-04-01';
select throws_ok(
  $$ select pg_temp.write('2015-05-01T02:00:00Z') $$, 'PT409', 'month_closed', 'a time between two time zones is closed'
);
select is_empty('select * from app.reconcile_closed_months()', 'the books agree');

select * from finish();
rollback;
