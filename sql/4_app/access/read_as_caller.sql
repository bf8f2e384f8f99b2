-- Two statements of a volatile function: the second one has a snapshot that is taken after the first, and therefore sees what was replayed.
-- Raises: the errors of app.as_caller.
-- Idempotent: a standby changes nothing.
create or replace function app.read_as_caller(p_claims jsonb, p_function text, p_args jsonb, p_request_id text, p_position text, p_max_age interval)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if not app.has_replayed(p_position, p_max_age) then
    return null;
  end if;
  return coalesce(app.as_caller(p_claims, p_function, p_args, null, p_request_id), 'null');
end
$$;

comment on function app.read_as_caller is
  'Runs one function of schema api as the caller on a standby that has replayed p_position and is not older than p_max_age (see '
  'app.has_replayed). Returns no value on any other server: the primary must answer. A result without a value is the JSON value null.';

grant execute on function app.read_as_caller(jsonb, text, jsonb, text, text, interval) to store_api;
