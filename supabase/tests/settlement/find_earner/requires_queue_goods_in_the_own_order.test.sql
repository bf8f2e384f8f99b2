begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table t as select (
  app.create_order(
    m.a, jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)), now() - interval '1 hour'
  )
).id
  from m, goods as g;
select app.pay_order(id, 'test', 'tea-of-the-referrer', now() - interval '1 hour') from t;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select is(
  (pg_temp.settlement(id)).reason, 'referrer_not_eligible', 'an order of other goods is not a reported order (R4)'
)
from o;
select pg_temp.buy((select a from m));
select is(
  (pg_temp.settlement(pg_temp.report(pg_temp.sign_up((select a::text from m))))).earner_uid, (select a from m),
  'an order of queue goods is one, even if paid at the same time and not settled'
);

select * from finish();
rollback;
