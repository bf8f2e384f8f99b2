-- Guarantee money/shipping-after-receipt: An acknowledged parcel is on its order, even after the receipt. The order is
-- reported as shipped once, no later than as received
-- By: app.deliver_order
begin;
\ir ../../support/fixture.psql
select plan(12);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select
  pg_temp.buy(m.a, 1, '2026-01-01 00:00:00+00') as received, pg_temp.buy(m.a, 1, '2026-01-01 00:00:00+00') as shipped,
  pg_temp.buy(m.a) as refunded
  from m;
select app.confirm_receipt(received, '2026-01-02 00:00:00+00'), app.confirm_receipt(refunded, now()) from o;
select app.deliver_order(shipped, '2026-01-02 00:00:00+00'), app.confirm_receipt(shipped, '2026-01-03 00:00:00+00')
from o;
select app.refund_order(refunded, null, null, now()) from o;
create function pg_temp.told(p_order bigint) returns text[] language sql as $$
  select array_agg(e.type order by e.type) from app.events as e
  where e.type like 'order.%' and e.subject_id = p_order and e.type <> 'order.paid'
$$;

create temporary table first_call as select (
  app.deliver_order(received, '2026-01-05 00:00:00+00', 'SF Express', 'SF100020003')
).*
  from o;
select is((select state from first_call), 'received', 'it stays received');
select is(
  (select delivered_at from first_call), '2026-01-02 00:00:00+00'::timestamptz,
  'it was shipped no later than it was received'
);
select results_eq('select carrier_code, tracking_no, shipped_at from app.parcels, o where order_id = received',
  $$ values ('SF', 'SF100020003', '2026-01-05 00:00:00+00'::timestamptz) $$, 'it has the parcel, recorded when it was');
select is(pg_temp.told(received), '{order.received,order.shipped}', 'it is told as shipped') from o;
select is(
  (app.deliver_order(received, now(), 'SF Express', 'SF100020003')).delivered_at, '2026-01-02 00:00:00+00',
  'a repeated call changes nothing'
)
from o;
select is(pg_temp.told(received), '{order.received,order.shipped}', 'and tells nothing') from o;
select throws_ok(
  'select app.deliver_order(received, now(), null, ''SF900080007'') from o', 'PT409', 'order_state_conflict',
  'another number is rejected'
);
select throws_ok(
  'select app.deliver_order(received, now(), ''Nobody knows it'') from o', 'PT409', 'order_state_conflict',
  'another carrier, too'
);
select is((app.deliver_order(received, now(), '顺丰')).state, 'received', 'another name of the same carrier is none')
from o;

select is((app.deliver_order(shipped, now(), null, 'SF100020004')).delivered_at, '2026-01-02 00:00:00+00',
  'an order that was shipped without a number gets it after its receipt') from o;
select is(pg_temp.told(shipped), '{order.received,order.shipped}', 'and is not told again') from o;
select throws_ok(
  'select app.deliver_order(refunded, now(), null, ''SF100020005'') from o', 'PT409', 'order_state_conflict',
  'a refunded order that never left is rejected'
);

select * from finish();
rollback;
