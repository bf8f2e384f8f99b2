-- Guarantee rules/8-refunds: R8: an order that is refunded completely or has an open refund request counts for no task
-- By: app.refund_order
begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select app.request_refund(id, null, 'changed my mind', now()) from o;
select is((select refund_status from app.orders as x, o where x.id = o.id), 1::smallint, 'requested');
select is((pg_temp.balances((select a from m))).direct_orders, 0, 'it does not count while the request is open (R8)');
select throws_ok(
  'select app.request_refund(id, null, '''', now()) from o', 'PT409', 'refund_state_conflict',
  'a second request is rejected'
);
select app.refuse_refund(id, now()) from o;
select is((pg_temp.balances((select a from m))).direct_orders, 1, 'it counts again after the request is refused');
select is(
  (select refund_status from app.orders as x, o where x.id = o.id), 0::smallint,
  'the refund status is as before the request'
);
select throws_ok(
  'select app.refuse_refund(id, now()) from o', 'PT404', 'refund_not_found', 'refusing it again is rejected'
);

select * from finish();
rollback;
