begin;
\ir ../../support/fixture.psql
select plan(9);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table p as with added as (
  insert into app.products (title, price, stock) values ('Cup', 10, 3) returning id
) select * from added;
create function pg_temp.order_cups(p_quantities integer[]) returns text language sql as $$
  select format('select id from app.create_order(%s, %L, now())', m.a, jsonb_agg(jsonb_build_object('product_id', p.id, 'quantity', q)))
  from m, p, unnest(p_quantities) as q group by m.a
$$;
create function pg_temp.stock() returns bigint language sql as $$ select x.stock from app.products as x, p where x.id = p.id $$;

select throws_ok(pg_temp.order_cups('{4}'), 'PT409', 'out_of_stock', 'more than there are');
select throws_ok(pg_temp.order_cups('{2,2}'), 'PT409', 'out_of_stock', 'nor in two items together');
select is(pg_temp.stock(), 3::bigint, 'a refused order takes nothing');
select lives_ok(pg_temp.order_cups('{1,1}'), 'what there is');
select is(pg_temp.stock(), 1::bigint, 'is taken from the stock');
select results_eq('select l.stock_taken from app.order_lines as l, p where l.product_id = p.id', 'values (1), (1)', 'the lines know what they took');
select lives_ok(pg_temp.order_cups('{1}'), 'the last one');
select throws_ok(pg_temp.order_cups('{1}'), 'PT409', 'out_of_stock', 'and nothing after it');
create temporary table o as
select (app.create_order(m.a, jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 9)), now())).id from m, goods as g;
select is((select sum(l.stock_taken) from app.order_lines as l join o on o.id = l.order_id), 0::bigint, 'an unlimited product takes nothing');

select * from finish();
rollback;
