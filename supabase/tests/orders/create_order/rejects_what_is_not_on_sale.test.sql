begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table p as with added as (
  insert into app.products (title, price, is_show, is_del) values ('Hidden', 1, false, false),
  ('Deleted', 1, true, true)
  returning id, title
) select * from added;
select throws_ok(
  format('select app.create_order(%s, ''[{"product_id": %s, "quantity": 1}]'', now())', m.a, p.id), 'PT422',
  'product_unavailable', lower(p.title)
)
from m, p;
select is_empty('select o.id from app.orders as o, m where o.uid = m.a', 'the rejected order leaves no rows');

select * from finish();
rollback;
