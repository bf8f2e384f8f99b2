-- Locks a member's balance and waits for it, but no longer than ten seconds. Tells whether it got it.
-- Callers: release_frozen_points. Safe twice: locks nest.
create or replace function app.wait_for_balance(p_uid bigint)
returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
  perform app.lock_balances(array[p_uid]);
  return true;
exception when lock_not_available then
  return false;
end
$$;
