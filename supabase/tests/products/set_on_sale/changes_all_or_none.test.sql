begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(9);

create temporary table a as select pg_temp.administrator() as id;
update app.products set is_show = false where id = (select tea from goods);
create temporary table before as select p.* from app.products as p, goods as g
  where p.id in (g.flagship, g.tea, g.gift);
create function pg_temp.set_on_sale(p_ids bigint[], p_is_show boolean) returns text language sql as $$
  select pg_temp.call(a.id, 'set_on_sale', jsonb_build_object('p_ids', to_jsonb(p_ids), 'p_is_show', p_is_show)) from a
$$;
create function pg_temp.shown() returns text language sql as $$
  select string_agg(p.title, ', ' order by p.id) from app.products as p join before using (id) where p.is_show
$$;

select is(pg_temp.set_on_sale(array[tea, 900000000000001], true), 'PT404 product_not_found', 'an unknown product')
from goods;
update app.products set is_del = true where id = (select gift from goods);
select is(pg_temp.set_on_sale(array[tea, gift], true), 'PT404 product_not_found', 'and a deleted one are rejected')
from goods;
select is(pg_temp.shown(), 'Flagship, Gift', 'with all others');
select is(
  pg_temp.set_on_sale(array[flagship, tea], true)::jsonb, '{"changed": 1, "unchanged": 1}',
  'what is on sale already stays so'
)
from goods;
select is(
  pg_temp.set_on_sale(array[tea, flagship], false)::jsonb, '{"changed": 2, "unchanged": 0}',
  'several are taken off sale at once'
)
from goods;
select is(pg_temp.shown(), 'Gift', 'and no other is');
select results_eq(
  $$ select x.target_id::bigint, x.from_value, x.to_value from app.admin_actions as x, goods as g
  where x.function = 'set_on_sale' and x.target_id = g.tea::text order by x.id $$,
  $$ select g.tea, f.x::jsonb, f.y::jsonb
  from goods as g,
  (values (1, '{"is_show": false}', '{"is_show": true}'), (2, '{"is_show": true}', '{"is_show": false}')) as f (n, x, y)
  order by f.n $$,
  'each product has its actions in the log'
);
select results_eq(
  'select p.title, p.price, p.updated_by = a.id from app.products as p, a, goods as g where p.id in (g.tea, g.flagship) order by 1',
  $$ values ('Flagship', 3600.00, true), ('Tea', 99.90, true) $$,
  'each has its author, and nothing else has changed'
);
select is(
  pg_temp.set_on_sale('{}', true) || pg_temp.set_on_sale(array[tea, tea], true)
  || pg_temp.set_on_sale(array[tea], null),
  'PT422 invalid_argumentPT422 invalid_argumentPT422 invalid_argument',
  'no products, one twice, or no wish are rejected'
) from goods;

select * from finish();
rollback;
