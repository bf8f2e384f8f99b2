-- The session of a running import holds the import lock.
-- Locks: the advisory lock import, the staging tables.
-- Idempotent: empty tables stay empty.
create or replace function app.forget_staged_rows()
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if not pg_try_advisory_xact_lock(app.lock_number('import')) then
    return false;
  end if;
  if exists (select from app.staged_products) or exists (select from app.staged_members) or exists (select from app.staged_openids)
    or exists (select from app.staged_orders) or exists (select from app.staged_order_lines) or exists (select from app.staged_refunds)
    or exists (select from app.staged_bill)
  then
    perform app.clear_import();
    return true;
  end if;
  return false;
end
$$;

comment on function app.forget_staged_rows is
  'Empties the staging tables if an import that was killed has left personal data there, and returns whether it did.';
