begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.sign_up() as top;
create temporary table n as select pg_temp.sign_up((select top::text from m)) as buyer;
create temporary table o as select pg_temp.report((select buyer from n), 2) as settled,
  pg_temp.buy((select buyer from n)) as waiting;
create temporary table line as select l.id from app.order_lines as l join o on o.settled = l.order_id;
create function pg_temp.summed() returns text language plpgsql as $$ begin perform pg_temp.sum_teams(); return pg_temp.team((select top from m)); end $$;

select app.request_refund((select settled from o), null, 'too big', now());
select is(pg_temp.summed(), '1 2 1 2', 'a refund request does not change the totals');
select app.refund_order(
  (select settled from o), (select jsonb_build_array(jsonb_build_object('line_id', line.id, 'quantity', 1)) from line),
  null, now()
);
select is(pg_temp.summed(), '1 2 1 2', 'a partly refunded order still counts');
select app.refund_order((select settled from o), null, null, now());
select is(pg_temp.summed(), '1 1 1 1', 'a refunded order does not count');
select app.refund_order((select waiting from o), null, null, now());
select is(pg_temp.summed(), '1 0 1 0', 'an order that was refunded before its settlement does not count');
select is_empty('select * from app.reconcile_team_totals()', 'the totals are the sums of the leaves');

select * from finish();
rollback;
