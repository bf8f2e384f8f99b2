begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n, pg_temp.report(pg_temp.sign_up((select a::text from m))) as id
  from generate_series(1, 4) as n;
select results_eq($$ select (pg_temp.settlement(id)).cycle_no, (pg_temp.settlement(id)).place::integer,
  (pg_temp.settlement(id)).commission from o order by n $$,
  $$ values (1, 1, 720.00), (1, 2, 1080.00), (1, 3, 1800.00), (2, 1, 720.00) $$, 'places and commissions');
select is((pg_temp.balances((select a from m))).brokerage_price, 4320.00, 'the sum is credited');
select is(
  (select sum(l.frozen_delta) from app.user_bill as l, m where l.uid = m.a and l.source = 'cycle'), 4320.0000,
  'one frozen point per 1.00'
);
select is((select count(*) from app.settlement_jobs as j, o where j.order_id = o.id), 0::bigint, 'no job is left');

select * from finish();
rollback;
