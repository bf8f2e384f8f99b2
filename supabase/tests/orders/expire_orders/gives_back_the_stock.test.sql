begin;
\ir ../../support/fixture.psql
select plan(2);

update app.settings set lifecycle_from = '2026-01-01';
update app.products set stock = 5 where id = (select tea from goods);
create temporary table o as
select (
  app.create_order(
    pg_temp.sign_up(), (select jsonb_build_array(jsonb_build_object('product_id', tea, 'quantity', 3)) from goods),
    '2026-11-01'
  )
).id;
select is(
  (select stock from app.products where id = (select tea from goods)), 2::bigint,
  'an order takes its units from the stock'
);
select app.expire_order(id, '2026-11-20') from o;
select is(
  (select stock from app.products where id = (select tea from goods)), 5::bigint, 'an order that expires returns them'
);

select * from finish();
rollback;
