-- Takes a key of the caller for the rest of the transaction and returns the answer that was given under it, or null.
-- Callers: call_once. Security definer: no client role reads the table. The caller is whom the claims name.
-- Locks: an advisory lock on the key, never waited for. It is released after the commit that makes the answer visible, so
-- whoever gets it next sees the answer, and of requests at the same time one alone goes on.
-- Raises: invalid_argument, idempotency_key_in_use, idempotency_key_reused.
create or replace function app.find_answer(p_key text, p_fingerprint bytea)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := auth.jwt() ->> 'role';
  v_kept app.idempotency_keys;
begin
  if p_key !~ '^[!-~]{1,255}$' then
    perform app.fail('invalid_argument', 'An idempotency key has 1 to 255 visible characters of ASCII.');
  elsif not pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', auth.uid(), v_role, p_key), 74010004)) then
    perform app.fail('idempotency_key_in_use');
  end if;
  select k.* into v_kept from app.idempotency_keys as k where k.auth_id = auth.uid() and k.role = v_role and k.key = p_key;
  if v_kept.fingerprint <> p_fingerprint then
    perform app.fail('idempotency_key_reused');
  end if;
  return v_kept.answer;
end
$$;

grant execute on function app.find_answer(text, bytea) to authenticated, store_admin;
