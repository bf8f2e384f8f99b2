begin;
\ir ../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as top;
create temporary table below as select pg_temp.reporter(m.top) as uid from m cross join generate_series(1, 3);
-- One of three counted orders is refunded after the position.
create temporary table p as select max(s.position) + 1 as position from app.settlements as s;
select
from app.refund_order(
  (select o.id from app.orders as o where o.uid = (select min(b.uid) from below as b)), null, null, now()
);

select is(c.direct_orders, 3, 'before a refund, each order below counts')
from m cross join p cross join lateral app.computed_task_counts(p.position) as c where c.uid = m.top;
select is(c.direct_orders, 2, 'after it, those without one do')
from m cross join lateral app.computed_task_counts() as c where c.uid = m.top;
select results_eq(
  'select c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members from m cross join lateral app.computed_task_counts() as c where c.uid = m.top',
  'select c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members from m cross join lateral app.count_downline(m.top) as c',
  'these are the counts that the store keeps'
);

select * from finish();
rollback;
