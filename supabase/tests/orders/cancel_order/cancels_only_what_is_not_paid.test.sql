begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select (
  app.create_order(m.a, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)), now())
).id as unpaid,
  pg_temp.buy(m.a) as paid
  from m, goods as g;
select is(
  (select c.state || ' ' || c.is_expired from o, app.cancel_order(unpaid, '2026-01-02 03:04:05+00') as c),
  'cancelled false', 'an unpaid order is cancelled, and did not expire'
);
select is((app.cancel_order(unpaid, now())).cancelled_at, '2026-01-02 03:04:05+00', 'cancelling again is a no-op')
from o;
select throws_ok(
  'select app.cancel_order(paid, now()) from o', 'PT409', 'order_state_conflict', 'a paid order is rejected'
);
select is((select state from app.orders as x, o where x.id = o.paid), 'paid', 'the paid order stays paid');
select throws_ok('select app.cancel_order(0, now())', 'PT404', 'order_not_found', 'an unknown order is rejected');

select * from finish();
rollback;
