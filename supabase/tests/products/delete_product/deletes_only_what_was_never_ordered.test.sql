begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(9);

create temporary table a as select pg_temp.administrator() as id;
create function pg_temp.delete(p_id bigint) returns text language sql as $$
  select pg_temp.call(a.id, 'delete_product', jsonb_build_object('p_id', p_id)) from a
$$;
create temporary table p as
with added as (
  insert into app.products (title, price, stock) values ('Ordered', 10, 5), ('Cancelled', 10, 5), ('Mistake', 10, 5)
  returning id, title
) select id, title
from added;
create function pg_temp.id(p_title text) returns bigint language sql as $$ select id from p where title = p_title $$;
create function pg_temp.order(p_title text) returns bigint language sql as $$
  select (
    app.create_order(
      pg_temp.sign_up(), jsonb_build_array(jsonb_build_object('product_id', pg_temp.id(p_title), 'quantity', 1)), now()
    )
  ).id
$$;
select pg_temp.order('Ordered');
select app.cancel_order(pg_temp.order('Cancelled'), now());

select is(pg_temp.delete(pg_temp.id('Ordered')), 'PT409 product_was_ordered', 'an ordered product stays');
select is(pg_temp.delete(pg_temp.id('Cancelled')), 'PT409 product_was_ordered', 'so does one whose order was cancelled');
select is(
  pg_temp.delete(pg_temp.id('Mistake'))::jsonb, jsonb_build_object('id', pg_temp.id('Mistake'), 'is_del', 1),
  'one that was never ordered is deleted'
);
select is(pg_temp.delete(pg_temp.id('Mistake')), 'PT404 product_not_found', 'once');
select is(
  (select string_agg(g.title || ' ' || g.is_show, ', ' order by g.id) from app.products as g join p on p.id = g.id
  where not g.is_del),
  'Ordered true, Cancelled true', 'the others are still on sale'
);
select throws_like(
  $$ select pg_temp.order('Mistake') $$, '%product_unavailable%', 'nobody can order it any more'
);
select results_eq(
  $$ select x.target_id, x.from_value ->> 'price', x.to_value from app.admin_actions as x
  where x.function = 'delete_product' $$,
  $$ select pg_temp.id('Mistake')::text, '10.00', null::jsonb $$, 'the deletion is recorded with what was deleted'
);
update app.administrators set roles = '{service}' where auth_id = (select id from a);
select is(pg_temp.delete(pg_temp.id('Ordered')), 'PT403 forbidden', 'only the area content deletes products');
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
