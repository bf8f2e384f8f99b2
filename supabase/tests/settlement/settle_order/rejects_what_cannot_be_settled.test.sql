begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select (
  app.create_order(
    (select a from m), (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods),
    now()
  )
).id as unpaid,
  (
    app.create_order(
      (select a from m), (select jsonb_build_array(jsonb_build_object('product_id', tea, 'quantity', 1)) from goods),
      now()
    )
  ).id as tea;
select throws_ok(
  'select app.settle_order(unpaid, now()) from o', 'PT409', 'order_state_conflict', 'an unpaid order cannot be settled'
);
select app.pay_order(tea, 'test', 't', now()) from o;
select throws_ok(
  'select app.settle_order(tea, now()) from o', 'PT409', 'order_state_conflict', 'an order without queue goods'
);
select throws_ok('select app.settle_order(0, now())', 'PT404', 'order_not_found', 'an unknown order cannot be settled');

select * from finish();
rollback;
