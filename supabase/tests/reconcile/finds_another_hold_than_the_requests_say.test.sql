begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.earn(a) as id from m;
select from o, app.request_refund(o.id, null, '', now());
select is_empty('select * from app.reconcile()', 'what an open request holds is right');
update app.commission_maturities set amount_left = 700 where order_id = (select id from o);
select results_eq(
  'select * from app.reconcile_holds()', $$ select 'held_equals_the_open_requests', format('user %s', a), '720.00',
  '700.00 700.00'
    from m $$, 'another amount is found'
);
update app.commission_maturities set amount_left = 720, matures_at = now() + interval '1 day'
where order_id = (select id from o);
select results_eq(
  'select * from app.reconcile_holds()', $$ select 'held_equals_the_open_requests', format('user %s', a), '0.00',
  '0.00 0.00'
    from m where false $$, 'what is maturing is not held'
);
update app.refunds set state = 'refused', decided_at = now(), decided_position = nextval('app.positions')
where order_id = (select id from o);
select is_empty('select * from app.reconcile_holds()', 'nor is what was answered');

select * from finish();
rollback;
