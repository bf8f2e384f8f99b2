begin;
\ir ../../support/fixture.psql
\ir ../../support/points.psql
select plan(16);

create temporary table m as select pg_temp.give_points(pg_temp.sign_up(), 80.8) as a;
create temporary table p as select pg_temp.product(9.99) as tea, pg_temp.product(20) as cup;
create temporary table o as select pg_temp.order_with(
  a, array[[tea, 3], [flagship, 1], [cup, 1]], 30, '2026-05-01'
) as id
  from m, p, (select g.flagship from goods as g) as g;
select is(pg_temp.paid(id), '24.98 24.9800 24.9800 3624.99', 'points pay half of the other goods') from o;
select results_eq('select l.paid_by_points, l.points, l.paid from app.order_lines as l, o where l.order_id = o.id order by l.id',
  'values (14.98, 14.9800, 14.99), (0.00, 0.0000, 3600.00), (10.00, 10.0000, 10.00)',
  'each line states what points pay of it');
select is(o.queue_base, 3600.00, 'the base does not change') from app.orders as o join o as x on x.id = o.id;
select results_eq(
  'select l.type, l.source, l.available_delta, l.available_after, l.basis, l.rate, l.add_time from app.user_bill as l, o where l.order_id = o.id',
  $$ values ('points_spent', 'checkout', -24.9800, 55.8200, 24.9800, 1.00000, '2026-05-01'::timestamptz) $$,
  'the bill states the money and the rate');
select is(pg_temp.available(a), 55.8200, 'the points are taken when the order is placed') from m;
select is(b.total_points_earned, 80.8000, 'spent points still count as earned')
from m, lateral pg_temp.balances(m.a) as b;

select app.set_settings('{"points_rate": 3, "points_max_share": 0.3}', now());
select is(
  pg_temp.paid(pg_temp.order_with(a, array[[cup, 10]], 100)), '18.60 55.8000 55.8000 181.40',
  'a new rate applies to new orders'
)
from m, p;
select is(pg_temp.available(a), 0.0200, 'points that pay no whole cent stay with the member') from m;
select is(
  pg_temp.paid(pg_temp.order_with(a, array[[cup, 1]], 100)), '0.00 0.0000 0.0000 20.00',
  'an order is placed without points if they pay no cent'
)
from m, p;

update app.user_balances as b set available_points = -5 from m where b.uid = m.a;
select is(
  pg_temp.paid(pg_temp.order_with(a, array[[cup, 1]], 100)), '0.00 0.0000 0.0000 20.00',
  'an order is placed without points if the balance is negative'
)
from m, p;
update app.user_balances as b set available_points = 100 from m where b.uid = m.a;
select app.set_settings('{"points_rate": 1, "points_max_share": 0}', now());
select is(
  pg_temp.paid(pg_temp.order_with(a, array[[cup, 1]], 100)), '0.00 0.0000 0.0000 20.00',
  'a share of 0 switches payment by points off'
)
from m, p;

select app.set_settings('{"points_rate": 1, "points_max_share": 0.5}', now());
select throws_ok(
  format(
    'select app.create_order(%s, %L, now(), p_expected_price => 20, p_use_points => 5)', a,
    pg_temp.items(array[[cup, 1]])
  ),
  'PT409', 'price_changed', 'the expected price is compared with the price after points'
)
from m, p;
select lives_ok(
  format(
    'select app.create_order(%s, %L, now(), p_expected_price => 15, p_use_points => 5)', a,
    pg_temp.items(array[[cup, 1]])
  ),
  'an order at the expected price after points is placed'
)
from m, p;
select throws_ok(
  format('select app.create_order(%s, %L, now(), p_use_points => -1)', a, pg_temp.items(array[[cup, 1]])), 'PT422',
  'invalid_argument', 'a negative number of points is rejected'
)
from m, p;

select throws_ok(
  format('select app.create_order(%s, %L, now(), p_use_points => 100000000000000)', a, pg_temp.items(array[[cup, 1]])),
  'PT422', 'invalid_argument', 'a number of points that no balance can have is rejected'
)
from m, p;
select lives_ok(
  format('select app.create_order(%s, %L, now(), p_use_points => 99999999999999)', a, pg_temp.items(array[[cup, 1]])),
  'the highest number of points is accepted'
)
from m, p;

select * from finish();
rollback;
