-- A slice is no larger than the store, so that a halved one is smaller than all.
create or replace function app.reconcile_batch()
returns integer
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select greatest(
    (select count(*) from (select from app.users as u limit 100000) as m), (select count(*) from (select from app.orders as o limit 100000) as n), 1
  )::integer
$$;

comment on function app.reconcile_batch is
  'Returns how many members or orders a slice of a reconciliation has: all, but at most 100,000.';
