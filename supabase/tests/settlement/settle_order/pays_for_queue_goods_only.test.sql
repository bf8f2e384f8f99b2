-- Guarantee rules/1-queue-goods: R1: only queue goods pay commission
-- By: the base is the price of the queue goods, app.create_order
begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.reporter() as a;
create temporary table b as select pg_temp.sign_up((select a::text from m)) as id;
create function pg_temp.settled(p_items text) returns bigint language plpgsql as $$
declare
  v_id bigint := (app.create_order((select id from b), (
    select jsonb_agg(
      jsonb_build_object('product_id', case when item = 'tea' then g.tea else g.flagship end, 'quantity', 2)
    )
    from goods as g cross join unnest(string_to_array(p_items, ' ')) as item
  ), now())).id;
begin
  perform app.pay_order(v_id, 'test', 'test-' || v_id, now());
  perform app.settle_order(v_id, now()) from app.settlement_jobs as j where j.order_id = v_id;
  return v_id;
end
$$;

create temporary table mixed as select pg_temp.settled('tea flagship') as id;
select is(
  (pg_temp.settlement((select id from mixed))).base, 7200.00,
  'the base of a mixed order is the price of its queue goods'
);
select results_eq(
  'select brokerage_delta, basis, rate from app.user_bill where order_id = (select id from mixed) and type = ''brokerage''',
  'values (1440.00, 7200.0000, 0.20000)', 'other goods of the order add nothing to the commission (R1)'
);
create temporary table tea as select pg_temp.settled('tea') as id;
select is_empty(
  'select * from app.user_bill where order_id = (select id from tea)', 'an order without queue goods pays nothing'
);
select is(
  (pg_temp.balances((select a from m))).brokerage_price, 1440.00, 'the referrer has the commission for queue goods'
);

select * from finish();
rollback;
