begin;
\ir ../support/fixture.psql
select plan(2);

-- A plan made while few orders were settled must not read all settlements in each batch.
create temporary table seller as select pg_temp.reporter() as uid;
analyze app.settlements;
create function pg_temp.settlements_read() returns bigint language sql as $$
  select sum(pg_stat_get_xact_tuples_returned(r.oid))::bigint
  from (
    select 'app.settlements'::regclass::oid as oid union all select x.indexrelid from pg_index as x
    where x.indrelid = 'app.settlements'::regclass
  ) as r
$$;
-- Postgres keeps a plan after five executions.
do $$ begin for v_n in 1..8 loop perform pg_temp.report(s.uid) from seller as s; end loop; end $$;
insert into app.orders (order_no, uid, total_price, pay_price, has_queue_goods, queue_base, queue_units)
select 'settled-' || n, (select uid from seller), 3600, 3600, true, 3600, 1 from generate_series(1, 2000) as n;
insert into app.settlements (
  order_id, position, state, uid, order_plan_version, level_version, plan_in_force, brokerage_scope, base, units,
  reason, settled_at
)
select o.id, nextval('app.positions'), 'imported', o.uid, 1, 1, 1, 'direct', 3600, 1, 'imported', now()
from app.orders as o where o.order_no like 'settled-%';
create temporary table bought as select pg_temp.buy(uid) as id from seller;
create temporary table before as select pg_temp.settlements_read() as rows;
select app.run_settlement_jobs();
create temporary table settled as select pg_temp.settlements_read() - b.rows as rows_read from before as b;
select is(
  (select s.state from app.settlements as s join bought as b on b.id = s.order_id), 'settled', 'the order is settled'
);
select cmp_ok((select s.rows_read from settled as s), '<', 500::bigint, 'no settlements of other orders are read');

select * from finish();
rollback;
