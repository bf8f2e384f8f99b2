-- Precondition: the transaction holds no other lock.
-- Locks: an advisory lock for the member's address book, so that concurrent changes leave one default and no more than the limit.
-- Raises: unauthenticated.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_addresses()
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform pg_advisory_xact_lock(hashtextextended(v_uid::text, app.lock_number('addresses')));
  return v_uid;
end
$$;

comment on function app.lock_addresses is 'Locks the address book of the caller and returns the caller''s uid.';
