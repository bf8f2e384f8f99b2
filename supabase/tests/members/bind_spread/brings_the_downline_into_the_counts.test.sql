begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.sign_up() as top, pg_temp.sign_up() as a;
select pg_temp.reporter((select a from m));
select pg_temp.report((select a from m));
select app.bind_spread(a, top, now()) from m;
select results_eq($$ select b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members from m,
  lateral pg_temp.balances(m.top) as b $$,
  $$ values (1, 2, 1, 2) $$, 'orders of the bound member count as direct, orders below as umbrella');
select is(
  (
    select count(*) from app.reconcile_counters() as r
    where r.subject in (select format('uid %s', x) from m, unnest(array[top, a]) as x)
  ),
  0::bigint, 'the counts equal a recount'
);
select is(
  (select referrer_uid from app.orders where uid = (select a from m)), null, 'earlier orders still have no referrer'
);

select * from finish();
rollback;
