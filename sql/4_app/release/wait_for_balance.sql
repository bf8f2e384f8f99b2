-- Locks: the balance.
create or replace function app.wait_for_balance(p_uid bigint)
returns boolean
language plpgsql
volatile
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

comment on function app.wait_for_balance is
  'Locks a member''s balance, waits for it at most ten seconds, and returns whether it got the lock.';
