-- Runs one function of schema api as the caller of a verified token, in one statement, and returns its answer.
-- Callers: the edge functions, which sign in as store_api. p_args maps parameter names to values. p_key is the caller's name for
-- this one effect (the header Idempotency-Key): the same again gets the same answer and has no second effect. p_request_id
-- names the request in what is recorded of an administrator (app.admin_actions).
-- Role and claims last until the end of the transaction, which is this one autocommit statement.
-- Security invoker: after the role is set, only the caller's own grants and policies count.
-- Raises: forbidden (a role that no token may carry), what call_once raises, whatever the function raises.
-- Safe twice: with a key always, else as the function is.
create or replace function app.as_caller(
  p_claims jsonb, p_function text, p_args jsonb default '{}', p_key text default null, p_request_id text default null
)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := coalesce(p_claims ->> 'role', 'anon');
begin
  if v_role not in ('anon', 'authenticated', 'store_admin') then
    perform app.fail('forbidden', 'This token carries a role that may not call the store.');
  end if;
  perform set_config('request.jwt.claims', p_claims::text, true), set_config('store.request_id', coalesce(p_request_id, ''), true);
  perform set_config('role', v_role, true);
  if p_key is null then
    return app.call_api(p_function, p_args);
  end if;
  return app.call_once(p_key, p_function, p_args, clock_timestamp());
end
$$;

grant execute on function app.as_caller(jsonb, text, jsonb, text, text) to store_api;
