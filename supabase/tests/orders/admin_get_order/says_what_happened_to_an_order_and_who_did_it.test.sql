begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(4);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table a as select pg_temp.administrator() as one, pg_temp.administrator() as two;
create temporary table o as
select (
  app.create_order(m.uid, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)), now())
).id
from m, goods as g;

create function pg_temp.steps() returns text language sql as $$
  select string_agg(
    concat_ws(
      ' ', s ->> 'step', s ->> 'by', case s #>> '{actor,auth_id}' when a.one::text then '1' when a.two::text then '2' end,
      s ->> 'amount'
    ),
    ', ' order by n
  )
  from a, o,
    jsonb_array_elements(
      pg_temp.call(a.one, 'admin_get_order', jsonb_build_object('p_id', o.id))::jsonb -> 'timeline'
    ) with ordinality as t (s, n)
$$;

select is(
  pg_temp.steps(), (select 'placed buyer ' || r.pay_price from app.orders as r, o where r.id = o.id),
  'an order begins with the buyer'
);

do $$ begin
  perform pg_temp.call(
    (select one from a), 'pay_order_offline', jsonb_build_object('p_order_id', (select id from o), 'p_pay_ref', 'bank 1')
  );
  perform pg_temp.call((select two from a), 'deliver_order', jsonb_build_object('p_order_id', (select id from o)));
end $$;

select matches(
  pg_temp.steps(), '^placed buyer [\d.]+, paid administrator 1 [\d.]+, shipped administrator 2$',
  'a payment and a shipment name the administrators who recorded them'
);

do $$ begin
  perform pg_temp.call(
    (select one from a), 'refund_order', jsonb_build_object('p_order_id', (select id from o))
  );
end $$;

select matches(
  pg_temp.steps(), ', settled store, refunded administrator 1 [\d.]+$',
  'a refund without a request names who made it, and nobody has asked for it'
);
select doesnt_match(pg_temp.steps(), 'asked', 'nobody has asked for it');

select * from finish();
rollback;
