-- Executes a function of schema api, or replays its answer if the caller had it executed under the same key before.
-- Callers: as_caller. Locks: the key, for the rest of the transaction, without ever waiting for it.
-- Raises: what find_answer raises, or what the function raises; then nothing is kept, and the key is free again.
create or replace function app.call_once(p_key text, p_function text, p_args jsonb, p_now timestamptz)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- jsonb has one text for equal values, however the client wrote them.
  v_fingerprint bytea := sha256(convert_to(p_function || ' ' || p_args::text, 'UTF8'));
  v_answer jsonb := app.find_answer(p_key, v_fingerprint);
begin
  if v_answer is null then
    v_answer := app.call_api(p_function, p_args);
    perform app.keep_answer(p_key, v_fingerprint, v_answer, p_now);
  end if;
  return v_answer;
end
$$;

grant execute on function app.call_once(text, text, jsonb, timestamptz) to authenticated, store_admin;
