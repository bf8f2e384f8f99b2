begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(3);

delete from app.settlement_jobs;
select pg_temp.stage();
update app.staged_orders set carrier = ' 顺丰  ', tracking_no = E'\tSF1001 ' where order_no = 'old1';
update app.staged_orders set carrier = 'Old Pony', tracking_no = '自提' where order_no = 'old3';
update app.staged_orders set carrier = 'SF', tracking_no = 'SF1002' where order_no = 'old2';
select pg_temp.import();
select results_eq(
  $$ select o.order_no, l.carrier, l.carrier_code, l.tracking_no, l.shipped_at = o.delivered_at, l.shipped_by
  from app.parcels as l join app.orders as o on o.id = l.order_id order by l.order_id $$,
  $$ values ('old1', '顺丰', 'SF', 'SF1001', true, null::uuid), ('old3', 'Old Pony', null, null, true, null) $$,
  'a shipped order has the parcel of the previous system, with a carrier of the list if it is there; a paid one has none, and what is no tracking number is left out'
);
select is(
  (select count(*) from app.events where type in ('order.shipped', 'order.parcel_added')), 0::bigint,
  'which nobody is told now'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
