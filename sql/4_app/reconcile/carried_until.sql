create or replace function app.carried_until()
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max(r.carried_until), '-infinity') from app.reconcile_runs as r where r.finished_at is not null
$$;

comment on function app.carried_until is
  'Returns the end of the closed months whose sums the nightly reconciliation carries; -infinity before the first.';
