begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 4) as top;
select pg_temp.reporter((select top from m));
select is((pg_temp.balances((select top from m))).direct_orders, 0, 'nothing is counted at the top grade');
select is(
  (select count(*) from app.reconcile_counters() as r where r.subject = format('uid %s', (select top from m))),
  0::bigint, 'reconcile() does not report it'
);
select pg_temp.grade((select top from m), 2);
select is((pg_temp.balances((select top from m))).direct_orders, 1, 'a member who can rise again is recounted');

select * from finish();
rollback;
