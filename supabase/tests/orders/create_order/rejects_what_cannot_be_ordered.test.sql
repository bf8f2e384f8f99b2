begin;
\ir ../../support/fixture.psql
select plan(12);

create temporary table m as select pg_temp.sign_up() as a;
select throws_ok(
  format(
    'select app.create_order(%s, %L, now())', (select a from m),
    replace(c.items, 'F', (select flagship::text from goods))
  ),
  'PT422', c.code, coalesce(c.items, 'null')
)
from (values
  (null, 'invalid_argument'), ('{}', 'invalid_argument'), ('[]', 'invalid_argument'), ('[1]', 'invalid_argument'),
  ('[{"product_id": F}]', 'invalid_argument'), ('[{"product_id": F, "quantity": 0}]', 'invalid_argument'),
  ('[{"product_id": F, "quantity": -1}]', 'invalid_argument'),
  ('[{"product_id": F, "quantity": 10000}]', 'invalid_argument'),
  ('[{"product_id": F, "quantity": 1, "discount": "3600.01"}]', 'invalid_argument'),
  ('[{"product_id": 0, "quantity": 1}]', 'product_unavailable'),
  ('[{"product_id": 99999999999999999999, "quantity": 1}]', 'invalid_argument')
) as c (items, code);
select throws_ok('select app.create_order(1, ''[]'', now())', 'PT404', 'user_not_found', 'for nobody');

select * from finish();
rollback;
