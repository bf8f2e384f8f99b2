-- Executes api.<function>(<name> => <literal>, ...) with the rights of the current role. Values go in as quoted
-- literals of unknown type, so Postgres itself converts them to the declared parameter types.
-- Callers: as_caller, as_service. Raises: undefined_function, insufficient_privilege, invalid_argument (an argument that
-- the function does not have, or not of that type), or what the function raises.
create or replace function app.call_api(p_function text, p_args jsonb)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_arguments text;
  v_answer jsonb;
begin
  select string_agg(format('%I => %L', a.key, a.value), ', ') into v_arguments
  from jsonb_each_text(p_args) as a;
  execute format('select api.%I(%s)', p_function, v_arguments) into v_answer;
  return v_answer;
exception when data_exception or undefined_function then
  -- Who is to blame is asked only now, so that a good call pays nothing for it.
  perform app.blame_arguments(p_function, p_args);
  raise;
end
$$;

grant execute on function app.call_api(text, jsonb) to anon, authenticated, store_admin, service_role;
