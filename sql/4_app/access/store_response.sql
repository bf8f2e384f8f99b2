-- Security definer: no client role may write to the table.
-- Precondition: the caller holds the lock of app.find_response on the key.
create or replace function app.store_response(p_key text, p_fingerprint bytea, p_response jsonb, p_now timestamptz)
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into app.idempotency_keys (auth_id, role, key, fingerprint, response, created_at)
  values (auth.uid(), auth.jwt() ->> 'role', p_key, p_fingerprint, coalesce(p_response, 'null'), p_now)
$$;

comment on function app.store_response is
  'Stores a response under an idempotency key of the caller, who is the account and role in the claims of the request.';

grant execute on function app.store_response(text, bytea, jsonb, timestamptz) to authenticated, store_admin;
