begin;
\ir ../../support/fixture.psql
select plan(9);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select pg_temp.buy((select a from m)) as id,
  (
    app.create_order(
      (select a from m),
      (select jsonb_build_array(jsonb_build_object('product_id', flagship, 'quantity', 1)) from goods), now()
    )
  ).id as other;
select is(
  (select count(*) from app.settlement_jobs as j, o where j.order_id = o.id), 1::bigint,
  'paying writes a job in the same transaction'
);
select lives_ok(
  'select app.pay_order(id, ''test'', ''test-'' || id, now()) from o', 'the same reference again is a replay'
);
select is(
  (select count(*) from app.settlement_jobs as j, o where j.order_id = o.id), 1::bigint, 'a replay adds no job'
);
select throws_ok(
  'select app.pay_order(id, ''test'', ''another'', now()) from o', 'PT409', 'order_already_paid',
  'another reference is rejected'
);
select throws_ok(
  'select app.pay_order(other, ''test'', ''test-'' || id, now()) from o', 'PT409', 'payment_reference_used',
  'a reference that paid another order is rejected'
);
select throws_ok(
  'select app.pay_order(0, ''test'', ''x'', now())', 'PT404', 'order_not_found', 'an unknown order is rejected'
);
select throws_ok(
  'select app.pay_order(id, ''test'', '''', now()) from o', 'PT422', 'invalid_argument',
  'an empty reference is rejected'
);
select throws_ok(
  'select app.pay_order(id, null, ''x'', now()) from o', 'PT422', 'invalid_argument', 'a missing type is rejected'
);
select app.cancel_order(other, now()) from o;
select throws_ok(
  'select app.pay_order(other, ''test'', ''late'', now()) from o', 'PT409', 'order_state_conflict',
  'a cancelled order is rejected'
);

select * from finish();
rollback;
