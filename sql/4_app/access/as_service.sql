-- Raises: invalid_argument (see app.check_arguments), the errors of the function.
-- Idempotent: if the function is.
create or replace function app.as_service(p_function text, p_args jsonb default '{}')
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('request.jwt.claims', '{"role": "service_role"}', true);
  perform set_config('role', 'service_role', true);
  return app.call_api(p_function, p_args);
end
$$;

comment on function app.as_service is
  'Runs one function of schema api as service_role, for work without a user: background settlement, verified payment '
  'notifications, calls of the worker and WeChat sign-in. Must never be called with anything taken from a token.';

grant execute on function app.as_service(text, jsonb) to store_api;
