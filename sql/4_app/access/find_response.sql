-- Security definer: no client role may read the table.
-- Locks: an advisory lock on the key, tried without waiting. It is released after the commit that makes the response visible, so
-- whoever gets the lock next sees the response. Then the row of the key: a transaction that locks a row waits for the synchronous standby
-- when it commits, so a response is returned only when what it reports cannot be lost with the primary.
-- Raises: forbidden, invalid_argument, idempotency_key_in_use, idempotency_key_reused.
create or replace function app.find_response(p_key text, p_fingerprint bytea)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := auth.jwt() ->> 'role';
  v_kept app.idempotency_keys;
begin
  -- The function itself, which checks the same, is not executed again.
  if v_role = 'store_admin' then
    perform app.require_admin();
  end if;
  if p_key !~ '^[!-~]{1,255}$' then
    perform app.fail('invalid_argument', 'An idempotency key has 1 to 255 visible characters of ASCII.');
  elsif not pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', auth.uid(), v_role, p_key), app.lock_number('idempotency_key'))) then
    perform app.fail('idempotency_key_in_use');
  end if;
  select k.* into v_kept from app.idempotency_keys as k where k.auth_id = auth.uid() and k.role = v_role and k.key = p_key
  for update;
  if v_kept.fingerprint <> p_fingerprint then
    perform app.fail('idempotency_key_reused');
  end if;
  return v_kept.response;
end
$$;

comment on function app.find_response is
  'Locks an idempotency key of the caller until the end of the transaction and returns the response stored under it, or null if '
  'there is none. The caller is the account and role in the claims of the request.';

grant execute on function app.find_response(text, bytea) to authenticated, store_admin;
