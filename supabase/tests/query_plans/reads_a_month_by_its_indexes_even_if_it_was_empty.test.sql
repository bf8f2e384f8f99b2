begin;
\ir ../support/fixture.psql
grant store_api to postgres;

-- A session keeps its plans over the end of a month. Those made while the next month was empty must not read all of it
-- once it has rows.
create temporary table seller as select pg_temp.reporter() as uid;
create temporary table paid as
select s.uid, s.order_id, pg_temp.administrator() as admin
from (select uid, pg_temp.report(pg_temp.sign_up(uid::text), 1, '2025-02-20Z') as order_id from seller) as s;
select pg_temp.create_partition('user_bill', '2025-03-01'),
  pg_temp.create_partition('points_release_log', '2025-03-01');
-- The overview reads the release of today. Earlier files may have left pages in its month, so it gets a new partition.
create temporary table today as select app.business_day(now()) as day,
  to_char(app.business_day(now()), '"points_release_log_"YYYYMM') as part;
do $$ begin
  execute (select format('alter table app.points_release_log detach partition app.%I', t.part) from today as t);
  execute (select format('alter table app.%I rename to earlier_releases', t.part) from today as t);
end $$;
select pg_temp.create_partition('points_release_log', date_trunc('month', t.day)::date) from today as t;
analyze app.user_bill, app.points_release_log;

create temporary table works (name text, work text);
insert into works values
  ('the bill of a member', 'select app.bill_page(uid, null, null, null, 1, 20, null) from paid'),
  ('balances at a time', $$ select app.balances_until(uid, '2025-03-20Z') from paid $$),
  ('frozen points at a time', $$ select app.frozen_until(uid, '2025-03-20Z') from paid $$),
  ('the months of a member', 'select app.months_with_rows(uid) from paid'),
  ('a statement', $$ select app.statement_json(uid, '2025-03') from paid $$),
  ('the overview of a member', $$ select pg_temp.read(uid, 'get_assets_overview') from paid $$),
  ('the lines of a member', 'select app.bill_lines(uid, null, null, null) from paid'),
  ('earnings of a month', $$ select pg_temp.read(uid, 'get_month_earnings', '{"p_month": "2025-03"}') from paid $$),
  ('commission since a time', $$ select app.commission_since(uid, '2025-03-20Z') from paid $$),
  (
    'an order of a team',
    'select app.team_order_json(p.uid, true, o) from paid as p join app.orders as o on o.id = p.order_id'
  ),
  ('earnings of a member by depth', 'select app.earnings_of_member(uid) from paid'),
  ('places', $$ select pg_temp.call(admin, 'get_places', jsonb_build_object('p_uid', uid)) from paid $$),
  (
    'releases of a member', $$ select pg_temp.call(admin, 'get_release_log', jsonb_build_object('p_uid', uid))
      from paid $$
  ),
  ('what explains an order', 'select app.explain_order(order_id) from paid'),
  ('a refund', 'select app.preview_refund(order_id, null, now()) from paid'),
  (
    'all rows',
    format(
      'select count(*) from app.user_bill_202503 union all select count(*) from app.points_release_log_202503 union all select count(*) from app.%I',
      (select t.part from today as t)
    )
  );
create function pg_temp.rows_read() returns bigint language sql as $$
  select sum(pg_stat_get_xact_tuples_returned(r.oid))::bigint
  from (
    select 'app.user_bill_202503'::regclass union all select 'app.points_release_log_202503'::regclass
    union all select ('app.' || d.part)::regclass from today as d
  ) as t (relid)
  cross join lateral (
    select t.relid::oid as oid union all select x.indexrelid from pg_index as x where x.indrelid = t.relid
  ) as r
$$;
create function pg_temp.rows_read_by(p_work text) returns bigint language plpgsql as $$
declare
  v_before bigint := pg_temp.rows_read();
begin
  execute p_work;
  return pg_temp.rows_read() - v_before;
end
$$;
-- Postgres keeps a plan after five executions, unless the function asks for it at once.
create temporary table empty as
select w.name, pg_temp.rows_read_by(w.work) as rows from works as w cross join generate_series(1, 7) as n;

insert into app.users (uid, nickname) overriding system value select 1000000 + i, 'm' from generate_series(1, 100) as i;
insert into app.user_bill (
  uid, type, source, available_delta, order_id, brokerage_after, frozen_after, available_after, add_time
)
select u.uid, 'points_returned', 'checkout', 1, pg_temp.buy(s.uid), 0, 0, 1,
  '2025-03-06Z'::timestamptz + g * interval '1 hour'
from seller as s cross join app.users as u cross join generate_series(1, 10) as g where u.uid > 1000000;
insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
select u.uid, '2025-03-06'::date + g, 2, 1, 1, '2025-03-06Z'::timestamptz + g * interval '1 day' from app.users as u
cross join generate_series(1, 10) as g where u.uid > 1000000;
insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
select u.uid, t.day, 2, 1, 1, now() from today as t cross join app.users as u where u.uid > 1000000;
create temporary table filled as select w.name, pg_temp.rows_read_by(w.work) as rows from works as w;

select plan(3);
select is((select sum(e.rows) from empty as e), 0::numeric, 'the month was empty at first');
select is(
  (select f.rows from filled as f where f.name = 'all rows'), 2100::bigint, 'the test detects who reads all of it'
);
select is_empty(
  $$ select f.name, f.rows from filled as f where f.rows > 0 and f.name <> 'all rows'
  order by f.name $$, 'nobody else reads rows of other members and orders'
);

select * from finish();
rollback;
