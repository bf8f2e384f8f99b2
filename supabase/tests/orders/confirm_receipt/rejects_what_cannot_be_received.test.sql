begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
create function pg_temp.unpaid() returns bigint language sql as $$
  select (
    app.create_order(m.a, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)), now())
  ).id
  from m, goods as g
$$;
create temporary table o as select pg_temp.unpaid() as unpaid, pg_temp.unpaid() as cancelled,
  pg_temp.buy(m.a) as refunded, pg_temp.buy(m.a) as delivered, pg_temp.buy(m.a) as paid
  from m;
select app.cancel_order(cancelled, now()), app.refund_order(refunded, null, null, now()),
  app.deliver_order(delivered, now())
from o;
select throws_ok(
  'select app.confirm_receipt(unpaid, now()) from o', 'PT409', 'order_state_conflict', 'an unpaid order is rejected'
);
select throws_ok(
  'select app.confirm_receipt(cancelled, now()) from o', 'PT409', 'order_state_conflict',
  'a cancelled order is rejected'
);
select throws_ok(
  'select app.confirm_receipt(refunded, now()) from o', 'PT409', 'order_state_conflict', 'a refunded order is rejected'
);
select throws_ok('select app.confirm_receipt(0, now())', 'PT404', 'order_not_found', 'an unknown order is rejected');
select is((app.confirm_receipt(delivered, now())).state, 'received', 'the receipt of a shipped order is confirmed')
from o;
select is(
  (app.confirm_receipt(paid, now())).state, 'received',
  'the receipt of a paid order that is not marked as shipped is confirmed'
)
from o;

select * from finish();
rollback;
