begin;
\ir ../../support/fixture.psql
select plan(7);

create temporary table m as select pg_temp.sign_up() as a;
create function pg_temp.unpaid() returns bigint language sql as $$
  select (
    app.create_order(m.a, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)), now())
  ).id
  from m, goods as g
$$;
create temporary table o as select pg_temp.unpaid() as unpaid, pg_temp.unpaid() as cancelled,
  pg_temp.buy(m.a) as refunded, pg_temp.buy(m.a) as paid
  from m;
select app.cancel_order(cancelled, now()), app.refund_order(refunded, null, null, now()) from o;
select is((app.deliver_order(paid, '2026-01-02 03:04:05+00')).state, 'delivered', 'a paid order is delivered') from o;
select is((app.deliver_order(paid, now())).delivered_at, '2026-01-02 03:04:05+00', 'delivering again is a no-op')
from o;
select throws_ok(
  'select app.deliver_order(unpaid, now()) from o', 'PT409', 'order_state_conflict', 'an unpaid order is rejected'
);
select throws_ok(
  'select app.deliver_order(cancelled, now()) from o', 'PT409', 'order_state_conflict', 'a cancelled order is rejected'
);
select throws_ok(
  'select app.deliver_order(refunded, now()) from o', 'PT409', 'order_state_conflict', 'a refunded order is rejected'
);
select throws_ok('select app.deliver_order(0, now())', 'PT404', 'order_not_found', 'an unknown order is rejected');
select app.confirm_receipt(paid, now()) from o;
select is((app.deliver_order(paid, now())).state, 'received', 'a received order stays received') from o;

select * from finish();
rollback;
