begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(24);

select pg_temp.stage();
select is_empty($$ select * from app.check_import(now()) where severity = 'error' $$, 'the old system has no errors');
select pg_temp.import();
select pg_temp.sum_teams();
select is_empty(
  'select * from app.reconcile() union all select * from app.reconcile_decisions(null)', 'reconcile() finds nothing'
);

select is(
  (select concat_ws(' ', u.uid, u.spread_uid, u.agent_level, u.is_held, b.brokerage_price, b.total_brokerage,
    b.frozen_points, b.available_points, b.total_points_earned)
   from app.users as u join app.user_balances as b on b.uid = u.uid where u.uid = 501),
  '501 2 t 1080.50 1080.50 1000.0000 -3.0000 997.0000', 'a member keeps uid, level, hold and balances'
);
select is(
  (
    select concat_ws(' ', l.type, l.source, l.brokerage_delta, l.frozen_delta, l.available_delta)
    from app.user_bill as l where l.uid = 501
  ),
  'opening_balance import 1080.50 1000.0000 -3.0000', 'one bill row is the opening balance'
);
select is(
  (select spread_uid from app.users where uid = 503), 502::bigint, 'the member has the referrer of the previous system'
);
select is(
  (select concat_ws(' ', c.from_level, c.to_level, c.reason) from app.level_changes as c where c.uid = 502),
  '0 1 imported', 'the level has its history'
);
select is(
  (app.brokerage_progress(501, now()) ->> 'cycle_current') || ' '
    || (app.brokerage_progress(501, now()) ->> 'next_ratio'),
  '2 0.5', 'two places of the open cycle are taken'
);

select is(
  (
    select concat_ws(
      ' ', o.total_price, o.discount, o.freight, o.pay_price, o.queue_base, o.queue_units, o.refund_status, o.pay_type,
      o.pay_ref, o.add_time at time zone 'UTC'
    )
    from app.orders as o where o.order_no = 'old2'
  ),
  '7250.00 250.00 8.00 7008.00 3475.86 1 3 weixin wx2 2025-01-02 00:00:00',
  'an order has its sums; a time without an offset is in the zone of the store'
);
select is(
  (
    select string_agg(l.discount::text || ' ' || l.paid || ' ' || l.refunded_quantity, ', ' order by l.id)
    from app.order_lines as l where l.order_id = (pg_temp.old_order('old2')).id
  ),
  '248.27 6951.73 1, 1.73 48.27 0', 'the discount is spread over the lines by price'
);
select is(
  (
    select concat_ws(' ', s.state, s.reason, s.base, s.units, s.earner_uid, s.commission) from app.settlements as s
    where s.order_id = (pg_temp.old_order('old2')).id
  ),
  'imported imported 3475.86 1 0.00', 'the order is settled as imported'
);
select is((pg_temp.old_order('old4')).refund_status, 2::smallint, 'a refund without lines takes all');
select is(
  (
    select concat_ws(' ', r.state, r.amount, (pg_temp.old_order('old3')).refund_status) from app.refunds as r
    where r.refund_ref = 'r3'
  ),
  'requested 3600.00 1', 'a request is open'
);
select is(
  (
    select concat_ws(' ', r.state, r.amount, r.decided_at at time zone 'UTC') from app.refunds as r
    where r.refund_ref = 'r1'
  ),
  'refunded 3475.87 2025-01-09 00:00:00', 'a refund has its amount and its time'
);
select is((pg_temp.old_order('old6')).state, 'cancelled', 'an unpaid order is cancelled');
select is(
  (select s.state from app.settlements as s where s.order_id = (pg_temp.old_order('old7')).id), 'imported',
  'an order without queue goods is settled as imported, too'
);
select is_empty(
  $$ select from app.settlement_jobs as j join app.orders as o on o.id = j.order_id
  where o.is_imported $$, 'no order waits for its settlement'
);

select is(
  (
    select concat_ws(' ', b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members)
    from app.user_balances as b where b.uid = 501
  ),
  '1 1 1 1', 'orders count as R8 and R9 say: a requested or full refund and a member who is not assessed do not'
);
select is(
  (select b.own_orders from app.user_balances as b where b.uid = 504), 1, 'own orders count for the member all the same'
);
select ok(app.has_reported_order(501, now()), 'an imported order makes its buyer eligible (R4)');
select is(
  (select concat_ws(' ', b.type, b.amount, b.note) from app.imported_bill as b where b.uid = 501),
  'brokerage 1080.5000 from Bob', 'an old bill row is kept'
);
select throws_ok($$ update app.imported_bill set amount = 1 $$, '23001', null, 'an old bill row is read-only');

-- The same file again.
create temporary table before as select (select count(*) from app.orders) as orders,
  (select count(*) from app.users) as users, (select count(*) from app.user_bill) as bill;
select pg_temp.stage();
select pg_temp.import(100);
select is(
  (select (count(*), (select count(*) from app.users), (select count(*) from app.user_bill))::text from app.orders),
  (select (orders, users, bill)::text from before), 'a second import of the same rows writes nothing'
);

-- The next order takes the place after the imported ones and pays.
create temporary table next as select pg_temp.report(502) as id;
select is(
  (
    select concat_ws(' ', s.earner_uid, s.cycle_no, s.place, s.commission) from app.settlements as s, next
    where s.order_id = next.id
  ),
  '501 1 3 1800.00', 'the next order takes the place that is left, and completes the cycle'
);
select pg_temp.sum_teams();
select is_empty(
  'select * from app.reconcile() union all select * from app.reconcile_decisions(null)',
  'reconcile() finds nothing afterwards'
);

select * from finish();
rollback;
