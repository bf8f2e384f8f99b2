begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select (
  app.create_order(
    (select a from m), (select jsonb_build_array(jsonb_build_object('product_id', tea, 'quantity', 1)) from goods),
    now()
  )
).id;
select app.pay_order(id, 'test', 'tea', now()) from o;
select is(
  (select count(*) from app.settlement_jobs as j, o where j.order_id = o.id), 0::bigint,
  'an order without queue goods gets no job'
);
select app.create_plan('{"brokerage_timing": "confirm"}', null, now());
create temporary table c as select pg_temp.buy((select a from m)) as id;
select is(
  (select count(*) from app.settlement_jobs as j, c where j.order_id = c.id), 0::bigint,
  'an order with timing confirm gets no job'
);

select * from finish();
rollback;
