begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select results_eq($$ select l.type, l.source, l.brokerage_after, l.frozen_after from app.user_bill as l, o
  where l.order_id = o.id order by l.id $$,
  $$ values ('brokerage', 'cycle', 720.00, 0.0000), ('frozen_points_brokerage', 'cycle', 720.00, 720.0000),
  ('frozen_points_brokerage', 'direct', 720.00, 1220.0000) $$,
  'each of several rows of one order has its own balances');
select app.refund_order(id, null, null, now()) from o;
select is_empty($$
  select l.id from (
    select b.*, lag(b.brokerage_after, 1, 0.00) over w as brokerage_before,
      lag(b.frozen_after, 1, 0.0000) over w as frozen_before,
      lag(b.available_after, 1, 0.0000) over w as available_before
    from app.user_bill as b, m where b.uid = m.a window w as (order by b.id)
  ) as l
  where (l.brokerage_after, l.frozen_after, l.available_after)
    <> (
      l.brokerage_before + l.brokerage_delta, l.frozen_before + l.frozen_delta, l.available_before + l.available_delta
    )
$$, 'the balances of every row follow from the previous row, including reversals');

create temporary table p as with added as (
  insert into app.products (title, price, is_queue_goods) values ('Crumb', 0.04, true) returning id
) select *
  from added;
create temporary table q as select (
  app.create_order(pg_temp.sign_up(m.a::text), format('[{"product_id": %s, "quantity": 1}]', p.id)::jsonb, now())
).id
  from m, p;
select app.pay_order(id, 'test', 'crumb', now()), app.settle_order(id, now()) from q;
select is((pg_temp.settlement(id)).place, 1::smallint, 'a commission of less than a cent takes a place') from q;
select is(
  (select count(*) from app.user_bill as l, q where l.order_id = q.id and l.source = 'cycle'), 0::bigint,
  'a commission of less than a cent writes no row'
);

select * from finish();
rollback;
