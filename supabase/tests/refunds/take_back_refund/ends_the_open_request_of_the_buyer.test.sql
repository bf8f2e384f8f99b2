-- Guarantee money/refund-taken-back: A buyer can take a request back until it is answered or its goods are sent; one of
-- the two happens
-- By: the order is locked before it is checked, app.take_back_refund
begin;
\ir ../../support/fixture.psql
select plan(12);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2) as id;
select throws_ok(
  'select app.take_back_refund(id, now()) from o', 'PT404', 'refund_not_found',
  'without a request, nothing is taken back'
);
select app.request_refund(id, null, 'changed my mind', now()) from o;
select is(
  (pg_temp.balances((select a from m))).direct_orders, 0, 'the order does not count while the request is open (R8)'
);
select is((app.take_back_refund(id, now())).state, 'taken_back', 'the request is taken back') from o;
select is((pg_temp.balances((select a from m))).direct_orders, 1, 'the order counts again');
select is((select refund_status from app.orders as x, o where x.id = o.id), 0::smallint, 'no request is open');
select is(
  (
    select string_agg(e.type, ' ' order by e.id) from app.events as e, o
    where e.subject_id = o.id and e.type like 'refund.%'
  ),
  'refund.requested refund.taken_back', 'one event says so'
);
select throws_ok('select app.take_back_refund(id, now()) from o', 'PT404', 'refund_not_found', 'once');
select lives_ok('select app.request_refund(id, null, ''after all'', now()) from o', 'the buyer can ask again');
select is(
  (
    select concat_ws(' ', a.base, a.units, a.refund_status)
    from o,
      app.order_at(
        o.id, null, (select r.decided_position from app.refunds as r where r.state = 'taken_back'), false
      ) as a
  ),
  '7200.00 2 0', 'the past knows when it was taken back'
);

-- The store asks for the goods, and the buyer sends them.
update app.settings set return_address
  = '{"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省", "深圳市"], "street": "Gate 4"}';
select app.deliver_order(id, now(), null, null) from o;
select app.request_return(id, now()) from o;
savepoint asked;
select lives_ok('select app.take_back_refund(id, now()) from o', 'goods that were only asked for stay with the buyer');
rollback to asked;
select app.send_return(id, 'SF', 'R1', now()) from o;
select throws_ok(
  'select app.take_back_refund(id, now()) from o', 'PT409', 'refund_state_conflict',
  'goods that were sent back wait for the answer of the store'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
