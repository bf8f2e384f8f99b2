-- The first lock of the lock order (docs/decisions/0002-one-lock-order.md).
-- An advisory lock, because a shared row lock on a root would be written by every order below it.
-- Idempotent: taking a lock again that the transaction holds has no effect.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.lock_structure_shared()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(app.lock_number('structure'));
end
$$;

comment on function app.lock_structure_shared is
  'Takes the structure lock in shared mode: the referral tree, manual levels, flags and level settings do not change until the '
  'end of the transaction.';
