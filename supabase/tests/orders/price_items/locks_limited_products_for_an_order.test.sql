begin;
\ir ../../support/fixture.psql
\ir ../../support/points.psql
select plan(3);

create temporary table p as select pg_temp.product(10, 5) as limited, pg_temp.product(20) as unlimited;
create function pg_temp.locked() returns text language sql as $$
  select concat_ws(' and ', case when l.xmax <> 0 then 'limited' end, case when u.xmax <> 0 then 'unlimited' end)
  from p join app.products as l on l.id = p.limited join app.products as u on u.id = p.unlimited
$$;
create function pg_temp.price(p_locks boolean) returns text language sql as $$
  select string_agg(l.quantity || ' for ' || l.paid, ', ' order by l.ordinality)
  from p, unnest(app.price_items(pg_temp.items(array[[p.limited, 2], [p.unlimited, 3]]), p_locks)) with ordinality as l
$$;

select is(pg_temp.price(false) || pg_temp.locked(), '2 for 20.00, 3 for 60.00', 'a preview locks no product');
select is(pg_temp.price(true), '2 for 20.00, 3 for 60.00', 'an order has the same prices');
select is(pg_temp.locked(), 'limited', 'it locks the products with a limited stock');

select * from finish();
rollback;
