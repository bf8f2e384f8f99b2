-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
\ir ../support/points.psql
select plan(17);

create temporary table m as select pg_temp.give_points(pg_temp.sign_up(), 100) as a,
  pg_temp.give_points(pg_temp.sign_up(), 100) as other;
create temporary table o as
select pg_temp.order_with(a, array[[pg_temp.product(9.99), 3], [pg_temp.product(20), 1]], 10) as part,
  pg_temp.order_with(a, array[[pg_temp.product(10), 1]], 2) as cancelled,
  pg_temp.order_with(a, array[[pg_temp.product(10), 1]], null) as none
from m;
select app.pay_order(part, 'test', 'test-' || part, now()) from o;
select app.refund_order(
  part,
  (
    select jsonb_build_array(jsonb_build_object('line_id', min(l.id), 'quantity', 1)) from app.order_lines as l
    where l.order_id = part
  ),
  null, now()
)
from o;
select app.cancel_order(cancelled, now()) from o;
create temporary table known as select r.*
  from (select * from app.reconcile() union all select * from app.reconcile_decisions(null)) as r;
select is_empty('select * from known where check_name like ''points_%''', 'reconcile() finds nothing in correct books');

-- What the constraints forbid is not even tried.
select is(
  pg_temp.found(replace(replace(forgery, '$part', o.part::text), '$cancelled', o.cancelled::text)), finds,
  format('reconcile() finds %s', name)
)
from o, (values
  (
    'update app.order_lines set points = points + 1 where order_id = $part and points > 0',
    'points_of_an_order_equal_its_lines', 'a line with more points'
  ),
  (
    'update app.order_lines set points = points / 2, paid_by_points = paid_by_points - 0.01, paid = paid + 0.01 where order_id = $part and points > 4',
    'points_of_an_order_equal_its_lines', 'a line with fewer points'
  ),
  (
    'update app.orders set points_left = points_left - 1 where id = $part',
    'points_are_all_accounted_for points_of_an_order_equal_its_lines', 'points that left an order'
  ),
  (
    'update app.refunds set points = points + 1 where order_id = $part',
    'events_tell_what_is_booked points_are_booked_as_they_were_used points_of_an_order_equal_its_lines', 'a refund that returned more points'
  ),
  (
    'update app.user_bill set basis = basis * 2, rate = rate / 2 where order_id = $part and type = ''points_spent''',
    'points_are_booked_as_they_were_used', 'a bill row with another amount of money'
  ),
  (
    'update app.user_bill set rate = rate * 2 where order_id = $part and type = ''points_spent''',
    'amount_is_basis_times_rate', 'a bill row with another rate'
  ),
  (
    'update app.user_bill set add_time = add_time - interval ''1 second'' where order_id = $part and type = ''points_returned''',
    'points_are_booked_as_they_were_used', 'points that returned at another time'
  ),
  (
    'update app.user_bill set order_id = $part where order_id = $cancelled and type = ''points_returned''',
    'points_are_booked_as_they_were_used', 'points that returned for another order'
  ),
  (
    'delete from app.user_bill where order_id = $cancelled and type = ''points_returned''',
    'balance_equals_bill balance_equals_last_bill_row points_are_booked_as_they_were_used',
    'a cancelled order that returned no points'
  ),
  (
    'update app.orders set state = ''unpaid'', cancelled_at = null where id = $cancelled',
    'events_tell_what_is_booked points_are_booked_as_they_were_used points_of_an_order_equal_its_lines', 'a return without a cancellation'
  ),
  (
    'update app.user_balances set available_points = available_points + 1 where uid = (select a from m)',
    'balance_equals_bill balance_equals_last_bill_row points_are_all_accounted_for', 'points from nowhere'
  )
) as t (forgery, finds, name);
select matches(
  pg_temp.found(replace(replace(forgery, '$part', o.part::text), '$cancelled', o.cancelled::text)),
  'points_are_booked_as_they_were_used', format('reconcile() finds %s', name)
)
from o, (values
  (
    'update app.refunds set state = ''requested'', decided_at = null, decided_position = null where order_id = $part',
    'a refund that was not carried out'
  ),
  (
    'update app.user_bill set uid = (select other from m) where order_id = $cancelled and type = ''points_returned''',
    'points that another member got'
  ),
  (
    'insert into app.user_bill select (jsonb_populate_record(l, jsonb_build_object(''id'', nextval(''app.user_bill_id_seq'')))).* from app.user_bill as l where l.order_id = $part and l.type = ''points_spent''',
    'points that were taken twice'
  )
) as t (forgery, name);

-- And what they forbid.
select throws_ok(
  format('update app.order_lines set is_queue_goods = true where order_id = %s and points > 0', part), '23514', null,
  'the table rejects queue goods that points pay for'
)
from o;
select throws_ok(
  format('update app.orders set points_left = 1 where id = %s', cancelled), '23514', null,
  'the table rejects a cancelled order that keeps points'
)
from o;

select * from finish();
rollback;
