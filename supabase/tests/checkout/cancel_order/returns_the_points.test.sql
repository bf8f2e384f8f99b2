begin;
\ir ../../support/fixture.psql
\ir ../../support/points.psql
select plan(7);

create temporary table m as select pg_temp.give_points(pg_temp.sign_up(), 100) as a;
create temporary table o as
select pg_temp.order_with(m.a, array[[pg_temp.product(33.33), 3]], 100, '2026-05-01') as cancelled,
  pg_temp.order_with(m.a, array[[pg_temp.product(10), 1]], 100, '2026-05-01') as expired
from m;
select is(pg_temp.available(a), 45.0100, 'both orders took points') from m;
select app.cancel_order(cancelled, '2026-05-02') from o;
select is(pg_temp.paid(cancelled), '49.99 49.9900 0.0000 50.00', 'a cancelled order has no points left') from o;
select results_eq('select l.type, l.available_delta, l.available_after, l.basis, l.add_time from app.user_bill as l, o where l.order_id = o.cancelled order by l.id offset 1',
  $$ values ('points_returned', 49.9900, 95.0000, null::numeric, '2026-05-02'::timestamptz) $$,
  'a row of the bill returns the points of a cancelled order');
select app.cancel_order(cancelled, '2026-05-03') from o;
select is(pg_temp.available(a), 95.0000, 'cancelling an order again returns nothing') from m;
select is(app.expire_order(expired, now() + interval '30 days'), true, 'the unpaid order expires') from o;
select is(pg_temp.available(a), 100.0000, 'an expired order returns its points') from m;
select is_empty(
  'select * from app.reconcile_points() union all select * from app.reconcile_order_points()',
  'reconcile() finds every point'
);

select * from finish();
rollback;
