begin;
\ir ../../support/fixture.psql
select plan(8);

-- Frozen after each row of the bill, by the last millisecond before and the first of a business day of Shanghai.
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 4) as n;
create function pg_temp.book(p_n integer, p_delta numeric, p_at timestamptz) returns void language sql as $$
  insert into app.user_bill (
    uid, type, source, frozen_delta, brokerage_after, frozen_after, available_after, order_id, basis, rate, add_time
  )
  select m.uid, 'frozen_points_brokerage', 'direct', p_delta, 0, b.frozen_points + p_delta, 0,
    (select max(o.id) from app.orders as o), p_delta, 1, p_at
  from m join app.user_balances as b on b.uid = m.uid where m.n = p_n;
  update app.user_balances set frozen_points = frozen_points + p_delta where uid = (select uid from m where n = p_n);
$$;
select pg_temp.buy(pg_temp.sign_up());
select pg_temp.book(1, 1000, '2026-03-01 12:00+08'), pg_temp.book(1, 500, '2026-03-03 23:59:59.999+08'),
  pg_temp.book(1, 250, '2026-03-04 00:00+08');
select pg_temp.book(2, 1000, '2026-03-04 00:00+08');
select pg_temp.book(3, 1000, '2026-03-01 12:00+08');
update app.user_balances set frozen_points = 400 where uid = (select uid from m where n = 3);
select pg_temp.book(4, 1000, '2026-03-01 12:00+08');

select is(
  app.release_until('2026-03-03'), '2026-03-04 00:00+08', 'a day ends at midnight in the time zone of the store'
);
select results_eq(
  $$ select users, points
  from app.release_members(
    '2026-03-03', array(select uid from m), '2026-03-05 04:00+00', app.release_until('2026-03-03')
  ) $$,
  $$ values (3, 1500 * 0.0004 + 400 * 0.0004 + 1000 * 0.0004) $$, 'three had something at the end of the day'
);
create temporary table released as select m.n, l.* from app.points_release_log as l join m on m.uid = l.uid;
select results_eq(
  'select frozen_before, release_points, frozen_after from released where n = 1',
  'values (1750.0000, 0.6000, 1749.4000)', 'points earned after the day are not released for it'
);
select is_empty('select from released where n = 2', 'a member without points at that time gets no release');
select results_eq(
  'select frozen_before, release_points from released where n = 3', 'values (400.0000, 0.1600)',
  'points reversed since are not released'
);
select results_eq(
  $$ select b.basis, b.available_delta from app.user_bill as b join m on m.uid = b.uid
  where b.type = 'frozen_points_release' order by m.n $$,
  'values (1500.0000, 0.6000), (400.0000, 0.1600), (1000.0000, 0.4000)', 'the bill states the balance that counted'
);
select app.release_members(
  '2026-03-05', array(select uid from m where n = 1), '2026-03-05 04:00+00', app.release_until('2026-03-05')
);
select is(
  (
    select release_points from app.points_release_log
    where release_date = '2026-03-05' and uid = (select uid from m where n = 1)
  ),
  0.6997, 'today uses the whole balance of 1749.4'
);

-- A run that began before midnight and goes on after it.
select pg_temp.book(4, 500, '2026-03-06 00:00+08');
select app.release_members(
  '2026-03-05', array(select uid from m where n = 4), '2026-03-06 00:00:01+08', app.release_until('2026-03-05')
);
select is(
  (
    select release_points from app.points_release_log
    where release_date = '2026-03-05' and uid = (select uid from m where n = 4)
  ),
  0.3998, 'points earned after midnight are not released for the day before, even if its run began in time'
);

select * from finish();
rollback;
