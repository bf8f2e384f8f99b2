begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table n as select pg_temp.reporter((select a from m)) as b;
create temporary table o as select pg_temp.report((select b from n)) as id;
create function pg_temp.counts() returns text language sql as $$
  select format('%s orders, %s members', b.direct_orders, b.direct_members) from m, lateral pg_temp.balances(m.a) as b
$$;
select is(pg_temp.counts(), '2 orders, 1 members', 'two orders of one member');
select app.refund_order(id, null, null, now()) from o;
select is(pg_temp.counts(), '1 orders, 1 members', 'one of them refunded, the member still counts');
select app.set_no_assess((select b from n), true, null, now());
select is(pg_temp.counts(), '0 orders, 0 members', 'orders of a flagged member do not count');
select app.refund_order(pg_temp.report((select b from n)), null, null, now());
select is(pg_temp.counts(), '0 orders, 0 members', 'refunds of a flagged member do not change the counts');
select pg_temp.report((select b from n));
select app.set_no_assess((select b from n), false, null, now());
select is(pg_temp.counts(), '2 orders, 1 members', 'without the flag, both orders and the member count again');
select is_empty(
  $$ select * from app.reconcile_counters() as r
  where r.subject in (select format('uid %s', x) from m, n, unnest(array[m.a, n.b]) as x) $$,
  'the counts equal a recount'
);

select * from finish();
rollback;
