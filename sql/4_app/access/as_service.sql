-- Runs one function of schema api that no user asks for (settlement worker, verified payment notification).
-- Callers: the edge functions, never with anything taken from a token. Which functions: those granted to service_role.
-- Raises: whatever the function raises. Safe twice: as the function is.
create or replace function app.as_service(p_function text, p_args jsonb default '{}')
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('request.jwt.claims', '{"role": "service_role"}', true);
  perform set_config('role', 'service_role', true);
  return app.call_api(p_function, p_args);
end
$$;

grant execute on function app.as_service(text, jsonb) to store_api;
