begin;
\ir ../../support/fixture.psql
select plan(2);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table own as select pg_temp.report((select a from m)) as id;
select app.refund_order(id, null, null, now()) from own;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select is((pg_temp.settlement(id)).reason, 'referrer_not_eligible', 'R4 needs an order that is not refunded') from o;
select pg_temp.report((select a from m));
select is(
  (pg_temp.settlement(pg_temp.report(pg_temp.sign_up((select a::text from m))))).earner_uid, (select a from m),
  'a new own order makes eligible again'
);

select * from finish();
rollback;
