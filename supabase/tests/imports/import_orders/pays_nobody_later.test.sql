begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(6);

select app.create_plan('{"brokerage_timing": "confirm"}', null, now());
select pg_temp.stage();
select pg_temp.import();
create temporary table known as select count(*) as rows from app.user_bill;
select lives_ok(
  $$ select app.confirm_receipt((pg_temp.old_order('old2')).id, now()) $$, 'an imported order can be received'
);
select lives_ok(
  $$ select app.receive_if_due((pg_temp.old_order('old3')).id, now()) $$,
  'the scheduled job can confirm its receipt, too'
);
select lives_ok(
  $$ select app.settle_order((pg_temp.old_order('old5')).id, now()) $$, 'settling it again changes nothing'
);
select is(app.run_settlement_jobs(100, now()), 0, 'no settlement job is left');
select throws_ok(
  $$ select app.pay_order((pg_temp.old_order('old6')).id, 'test', 'late', now()) $$, 'PT409', 'order_state_conflict',
  'an order that was unpaid cannot be paid'
);
select is((select count(*) from app.user_bill), (select rows from known), 'nobody was paid');

select * from finish();
rollback;
