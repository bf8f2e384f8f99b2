-- Security definer: no client role may write to the table.
-- Precondition: the caller holds the lock of app.find_answer on the key.
create or replace function app.keep_answer(p_key text, p_fingerprint bytea, p_answer jsonb, p_now timestamptz)
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into app.idempotency_keys (auth_id, role, key, fingerprint, answer, created_at)
  values (auth.uid(), auth.jwt() ->> 'role', p_key, p_fingerprint, coalesce(p_answer, 'null'), p_now)
$$;

comment on function app.keep_answer is
  'Stores a response under an idempotency key of the caller, who is the account and role in the claims of the request.';

grant execute on function app.keep_answer(text, bytea, jsonb, timestamptz) to authenticated, store_admin;
