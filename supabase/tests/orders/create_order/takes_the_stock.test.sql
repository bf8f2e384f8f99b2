begin;
\ir ../../support/fixture.psql
select plan(9);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table p as with added as (
  insert into app.products (title, price, stock) values ('Cup', 10, 3) returning id
) select * from added;
create function pg_temp.order_cups(p_quantities integer[]) returns text language sql as $$
  select format(
    'select id from app.create_order(%s, %L, now())', m.a,
    jsonb_agg(jsonb_build_object('product_id', p.id, 'quantity', q))
  )
  from m, p, unnest(p_quantities) as q group by m.a
$$;
create function pg_temp.stock() returns bigint language sql as $$ select x.stock from app.products as x, p
  where x.id = p.id $$;

select throws_ok(
  pg_temp.order_cups('{4}'), 'PT409', 'out_of_stock', 'an order of more units than in stock is rejected'
);
select throws_ok(
  pg_temp.order_cups('{2,2}'), 'PT409', 'out_of_stock', 'so is an order whose items exceed the stock together'
);
select is(pg_temp.stock(), 3::bigint, 'a rejected order takes nothing from the stock');
select lives_ok(pg_temp.order_cups('{1,1}'), 'an order of units in stock is accepted');
select is(pg_temp.stock(), 1::bigint, 'its units are taken from the stock');
select results_eq(
  'select l.stock_taken from app.order_lines as l, p where l.product_id = p.id', 'values (1), (1)',
  'each line records how many units it took'
);
select lives_ok(pg_temp.order_cups('{1}'), 'the last unit can be ordered');
select throws_ok(pg_temp.order_cups('{1}'), 'PT409', 'out_of_stock', 'after the last unit, an order is rejected');
create temporary table o as
select (app.create_order(m.a, jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 9)), now())).id
from m, goods as g;
select is(
  (select sum(l.stock_taken) from app.order_lines as l join o on o.id = l.order_id), 0::bigint,
  'an order of an unlimited product records that it took nothing'
);

select * from finish();
rollback;
