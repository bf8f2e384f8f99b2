-- Role and claims last until the end of the transaction. The edge functions call this in one autocommit statement.
-- Security invoker: once the role is set, only the caller's own grants and policies apply.
-- Raises: forbidden (a role that no token may carry), the errors of app.call_once, the errors of the function.
-- Idempotent: with a key always, otherwise if the function is.
create or replace function app.as_caller(
  p_claims jsonb, p_function text, p_args jsonb default '{}', p_key text default null, p_request_id text default null
)
returns jsonb
language plpgsql
volatile
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

comment on function app.as_caller is
  'Runs one function of schema api as the caller that a verified token names, and returns its result. p_args maps parameter '
  'names to values. p_key is the Idempotency-Key of the request. p_request_id identifies the request in app.admin_actions.';

grant execute on function app.as_caller(jsonb, text, jsonb, text, text) to store_api;
