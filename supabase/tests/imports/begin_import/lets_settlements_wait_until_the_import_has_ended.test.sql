begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(17);

delete from app.settlement_jobs;
create temporary table confirms as
select (
  app.create_order(
    pg_temp.sign_up(),
    (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g), now()
  )
).id;
select pg_temp.stage();
select app.begin_import('neutral', repeat('a', 64), now());
select is(
  (
    select l.mode from pg_locks as l
    where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.objid = app.lock_number('structure')::oid
  ),
  'ExclusiveLock', 'no settlement is under way when an import begins'
);
select app.prepare_import();
select app.import_products(0, 100, now());
select app.import_members(0, 100, now());

-- Ann is imported, her order is not: she is not eligible yet. Eve buys below her.
create temporary table eve as select pg_temp.sign_up('501') as uid;
create temporary table bought as select pg_temp.buy(uid) as id from eve;
create temporary table returned as select pg_temp.buy(uid) as id from eve;
select is(
  app.run_settlement_jobs(50, now()), 0, 'no job is settled while members are imported and their orders are not'
);
select is(
  (select (j.state, j.attempts)::text from app.settlement_jobs as j, bought as b where j.order_id = b.id),
  '(waiting,0)', 'waiting for an import is no failed attempt'
);
select throws_ok(
  'select app.settle_order(id, now()) from bought', 'PT503', 'import_unfinished',
  'an order cannot be settled by itself during an import'
);
select lives_ok(
  $$ select app.refund_order(id, null, 'all', now()) from returned $$, 'an order can be refunded during an import'
);
select is(
  (select s.state from app.settlements as s, returned as r where s.order_id = r.id), 'refunded',
  'a full refund settles the order, because that pays nobody'
);
select app.create_plan('{"brokerage_timing": "confirm"}', null, now());
select app.pay_order(id, 'test', 'confirms', now()) from confirms;
select throws_ok(
  'select app.confirm_receipt(id, now()) from confirms', 'PT503', 'import_unfinished',
  'a receipt that would settle the order has to wait'
);
select isnt(app.health_json(now()) ->> 'import_since', null, 'the health says what settlements wait for');
select ok(
  exists (
    select from app.verify_schedule() as v
    where v.subject = 'settlement jobs' and v.severity <> 'ok' and v.message like '%import%'
  ),
  'the configuration check says what settlements wait for'
);
select is(
  (select v.severity from app.verify_end_to_end() as v), 'warning',
  'the configuration check runs no test orders during an import'
);

select throws_ok(
  $$ select app.begin_import('neutral', repeat('b', 64), now()) $$, '55000', null,
  'other files do not continue the import'
);
select is((app.begin_import('neutral', repeat('a', 64), now())).members, 4, 'the same files continue the import');

select app.import_orders(0, 100, now());
select app.finish_import(now());
select is(app.run_settlement_jobs(50, now()), 1, 'the job is settled when the import has ended');
select is(
  (select s.earner_uid from app.settlements as s, bought as b where s.order_id = b.id), 501::bigint,
  'the settlement after the import pays the imported referrer'
);
select lives_ok('select app.confirm_receipt(id, now()) from confirms', 'the receipt is confirmed after the import');

-- An import that is never continued.
select app.begin_import('neutral', repeat('c', 64), now());
select is((select i.is_abandoned from app.abandon_import(now()) as i), true, 'an import can be abandoned');
select pg_temp.sum_teams();
select is_empty(
  $$ select * from app.reconcile() as r where r.check_name <> 'job_is_not_late' union all select *
  from app.reconcile_decisions(null) $$, 'reconcile() finds nothing'
);

select * from finish();
rollback;
