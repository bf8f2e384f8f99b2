begin;
\ir ../../support/fixture.psql
select plan(1);

create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 2) as above;
create temporary table r as select pg_temp.sign_up(above::text) as referrer from m;
create temporary table o as select n, pg_temp.buy(pg_temp.sign_up(referrer::text)) as id
  from r, generate_series(1, 2) as n;
select app.settle_orders(array(select s from app.orders as s join o on o.id = s.id order by s.id), now());
select results_eq($$ select l.order_id, l.frozen_delta, l.passed_on from app.user_bill as l join m on l.uid = m.above
  where l.source = 'umbrella' order by l.id $$,
  $$ select id, 300.0000, 0.0000 from o
  order by n $$, 'the second order of a batch pays the same umbrella points as the first');

select * from finish();
rollback;
