begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(8);

select pg_temp.stage();
select pg_temp.import();
create temporary table old as select (pg_temp.old_order('old2')).id;
select is(
  (select (b.direct_orders, b.umbrella_orders)::text from app.user_balances as b where b.uid = 501), '(1,1)',
  'the order counts'
);
select is(
  (select app.preview_refund(id, null, now()) ->> 'is_imported' from old), 'true',
  'the preview says that the order was imported'
);
select is(
  (select app.preview_refund(id, null, now()) -> 'reversals' from old), '[]'::jsonb, 'the preview has no reversals'
);
select is(
  (select app.refund_json(app.refund_order(id, null, 'later', now())) ->> 'is_imported' from old), 'true',
  'the refund says that the order was imported'
);
select is_empty($$ select from app.user_bill as l, old where l.order_id = old.id $$, 'no bill row is written');
select is(
  (select (b.direct_orders, b.umbrella_orders)::text from app.user_balances as b where b.uid = 501), '(0,0)',
  'a refunded order does not count'
);
select is((select count(*)::integer from app.taken_places where earner_uid = 501), 2, 'the imported places stay taken');
select pg_temp.sum_teams();
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
