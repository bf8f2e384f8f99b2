begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select n,
  (app.create_order(m.a, jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)), now())).id
  from m, goods as g, generate_series(1, 2) as n;
select app.pay_order(id, 'wechat', 'ref-of-the-test', now()) from o where n = 1;
select throws_ok(
  $$ select app.pay_order(id, 'alipay', 'ref-of-the-test', now()) from o
  where n = 1 $$, 'PT409', 'order_already_paid', 'the same reference of another type is another payment'
);
select lives_ok(
  $$ select app.pay_order(id, 'alipay', 'ref-of-the-test', now()) from o
  where n = 2 $$, 'a reference of another type may pay another order'
);
select throws_ok(
  format('select app.pay_order(id, %L, %L, now()) from o where n = 1', c.type, c.ref), 'PT422', 'invalid_argument',
  c.sentence
)
from (
  values ('WeChat', 'x', 'a type is a lower-case word'), ('we chat', 'x', 'without blanks'),
  ('wechat', repeat('x', 129), 'a reference has at most 128 characters'), ('wechat', null, 'and is not missing')
)
  as c (type, ref, sentence);

select * from finish();
rollback;
