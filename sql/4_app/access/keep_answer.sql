-- Keeps an answer under a key of the caller. Callers: call_once, which holds the key.
-- Security definer: no client role writes the table. The caller is whom the claims name.
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

grant execute on function app.keep_answer(text, bytea, jsonb, timestamptz) to authenticated, store_admin;
