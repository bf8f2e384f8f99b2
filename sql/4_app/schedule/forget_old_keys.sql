-- Locks: the rows, skipping those that another transaction holds.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_old_keys(p_now timestamptz, p_limit integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_deleted integer;
begin
  delete from app.idempotency_keys as k
  where k.ctid = any (array(
    select o.ctid from app.idempotency_keys as o where o.created_at < p_now - interval '24 hours' limit p_limit for update skip locked
  ));
  get diagnostics v_deleted = row_count;
  return v_deleted = p_limit;
end
$$;

comment on function app.forget_old_keys is
  'Deletes up to p_limit stored responses of requests whose idempotency key is older than 24 hours, and returns whether more may '
  'be left.';
