-- Executes api.<function> with the rights of the current role. Arguments are passed as a parameter and cast to the types that the
-- function declares; they are no part of the statement, so that none gets into the database's log with it.
-- What an administrator writes must be recorded: a volatile function for administrators alone that records no action in its own
-- name (app.record_action) is an error of ours, and nothing of it remains. A function that changes nothing is declared stable.
-- Callers: as_caller, as_service. Raises: undefined_function, insufficient_privilege, invalid_argument (an argument that
-- the function does not have, or not of that type), or what the function raises.
create or replace function app.call_api(p_function text, p_args jsonb)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_admin constant boolean := current_user = 'store_admin';
  v_is_write boolean := false;
  v_arguments text;
  v_answer jsonb;
begin
  -- One look at the catalogue, and none for whoever calls without arguments. The array of types begins at 0, that of names at 1.
  if v_is_admin or p_args <> '{}' then
    select v_is_admin and p.provolatile = 'v' and not has_function_privilege('authenticated', p.oid, 'execute'), (
      select string_agg(
        format('%I => ($1 ->> %L)::%s', k, k, coalesce(format_type((p.proargtypes::oid[])[array_position(p.proargnames, k) - 1], null), 'text')), ', '
      )
      from jsonb_object_keys(p_args) as k
    )
    into v_is_write, v_arguments
    from pg_catalog.pg_proc as p where p.pronamespace = 'api'::regnamespace and p.proname = p_function;
  end if;
  perform set_config('store.recorded_action', '', true) where v_is_write;
  execute format('select api.%I(%s)', p_function, v_arguments) into v_answer using p_args;
  if v_is_write and current_setting('store.recorded_action') <> p_function then
    raise exception 'api.% changed something for an administrator and recorded no action', p_function;
  end if;
  return v_answer;
exception when data_exception or undefined_function then
  -- Who is to blame is asked only now, so that a good call pays nothing for it.
  perform app.blame_arguments(p_function, p_args);
  raise;
end
$$;

grant execute on function app.call_api(text, jsonb) to anon, authenticated, store_admin, service_role;
