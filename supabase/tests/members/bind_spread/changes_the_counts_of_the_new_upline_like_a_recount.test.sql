begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.sign_up() as top, pg_temp.reporter() as flagged;
create temporary table n as select pg_temp.reporter((select flagged from m)) as child;
create temporary table g as select pg_temp.reporter((select child from n), 2) as grandchild;
select pg_temp.buy((select grandchild from g)), app.set_no_assess((select flagged from m), true, null, now());
select app.refund_order(pg_temp.report((select child from n)), null, null, now());
select app.bind_spread(flagged, top, now()) from m;
select results_eq(
  $$ select b.direct_orders, b.direct_members
  from m, lateral pg_temp.balances(m.top) as b $$, $$ values (0, 0) $$, 'orders of a flagged member do not count'
);
select results_eq($$ select b.umbrella_orders, b.umbrella_members from m, lateral pg_temp.balances(m.top) as b $$,
  $$ values (2, 2) $$,
  'orders of members below count at any depth, if settled and not refunded');
select is_empty(
  $$ select * from app.reconcile_counters() as r
  where r.subject = format('uid %s', (select top from m)) $$, 'the counts equal the recount of all members'
);
select results_eq($$ select c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members from m,
  lateral app.count_downline(m.top) as c $$,
  $$ values (0, 2, 0, 2) $$, 'the counts equal the recount of one member');

select * from finish();
rollback;
