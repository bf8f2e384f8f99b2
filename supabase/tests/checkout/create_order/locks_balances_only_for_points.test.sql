begin;
\ir ../../support/fixture.psql
\ir ../../support/points.psql
select plan(4);

-- No settlement in this file: nothing else locks balances.
create temporary table m as select pg_temp.sign_up() as a;
create temporary table p as select pg_temp.product(20) as cup;
update app.user_balances as b set available_points = 10, total_points_earned = 10 from m where b.uid = m.a;
create function pg_temp.locks() returns bigint language sql as $$
  select count(*) from pg_locks as l
  where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.classid::bigint = app.lock_number('balances')
$$;
create function pg_temp.is_locked() returns boolean language sql as $$ select b.xmax <> 0 from app.user_balances as b
  join m on m.a = b.uid $$;

select pg_temp.order_with(a, array[[cup, 1]], null), pg_temp.order_with(a, array[[cup, 1]], 0) from m, p;
select is(pg_temp.locks()::text || pg_temp.is_locked(), '0false', 'an order without points locks no balance');
select app.cancel_order(pg_temp.order_with(a, array[[cup, 1]], null), now()) from m, p;
select is(
  pg_temp.locks()::text || pg_temp.is_locked(), '0false', 'cancelling an order without points locks no balance'
);
select app.use_points(a, app.price_items(pg_temp.items(array[[cup, 1]])), 5, false) from m, p;
select is(pg_temp.locks()::text || pg_temp.is_locked(), '0false', 'previewing points locks no balance');
select pg_temp.order_with(a, array[[cup, 1]], 5) from m, p;
select is(pg_temp.locks(), 1::bigint, 'an order with points locks the balance of its buyer');

select * from finish();
rollback;
