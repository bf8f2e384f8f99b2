begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as
select (app.create_order(pg_temp.sign_up((select a::text from m)), jsonb_build_array(
  jsonb_build_object('product_id', g.flagship, 'quantity', 2, 'discount', '200.00'),
  jsonb_build_object('product_id', g.tea, 'quantity', 3)),
  now())).*
from goods as g;
select is(referrer_uid, (select a from m), 'the buyer''s referrer') from o;
select is(queue_base, 7000.00, 'the base is queue goods only, after the discount and without freight') from o;
select is(queue_units, 2, 'only units of queue goods are counted') from o;
select is(pay_price, 7000.00 + 3 * 99.90 + 3 * 8, 'freight is paid') from o;
update app.products set is_queue_goods = false, price = 1 where id = (select flagship from goods);
select is(
  (
    select is_queue_goods from app.order_lines as l, o, goods as g where l.order_id = o.id and l.product_id = g.flagship
  ),
  true, 'a change of the flag does not affect the order'
);
select is(
  (select price from app.order_lines as l, o, goods as g where l.order_id = o.id and l.product_id = g.flagship),
  3600.00, 'a change of the price does not affect the order'
);

select * from finish();
rollback;
