-- Locks: the key, until the end of the transaction. A concurrent request with the same key fails instead of waiting.
-- Raises: the errors of app.find_response, app.call_api and of the function. After an error, nothing is stored and the key is free again.
-- Idempotent: the same key with the same function and arguments has one effect.
create or replace function app.call_once(p_key text, p_function text, p_args jsonb, p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Equal jsonb values have the same text, whatever spacing or key order the client used.
  v_fingerprint bytea := sha256(convert_to(p_function || ' ' || p_args::text, 'UTF8'));
  v_response jsonb := app.find_response(p_key, v_fingerprint);
begin
  if v_response is null then
    v_response := app.call_api(p_function, p_args);
    perform app.store_response(p_key, v_fingerprint, v_response, p_now);
  end if;
  return v_response;
end
$$;

comment on function app.call_once is
  'Executes a function of schema api and stores its response under p_key, or returns the response stored by an earlier call with '
  'the same key.';

grant execute on function app.call_once(text, text, jsonb, timestamptz) to authenticated, store_admin;
