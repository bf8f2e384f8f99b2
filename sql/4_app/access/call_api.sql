-- Arguments are passed as one parameter and are not part of the statement text, so they do not get into the database's log.
-- Administrative writes must be recorded: a volatile function that only administrators may execute fails, and its changes roll
-- back, unless it calls app.record_action with its own name. A function that changes nothing must be declared stable.
-- A member who is deleted while their write waits for a lock is looked up again afterwards, so that nothing personal is written after the
-- deletion (app.forget_person).
-- Raises: undefined_function, insufficient_privilege, invalid_argument (an unknown argument, or one of another type), unauthenticated,
-- the errors of the function.
create or replace function app.call_api(p_function text, p_args jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_admin constant boolean := current_user = 'store_admin';
  v_is_write boolean := false;
  v_is_members boolean := false;
  v_arguments text;
  v_result jsonb;
begin
  -- At most one look at the catalogue, and none without arguments. The array of types begins at 0, that of names at 1.
  if v_is_admin or p_args <> '{}' then
    select p.provolatile = 'v' and v_is_admin and not m.may, p.provolatile = 'v' and m.may and not has_function_privilege('anon', p.oid, 'execute'), (
      select string_agg(
        format('%I => ($1 ->> %L)::%s', k, k, coalesce(format_type((p.proargtypes::oid[])[array_position(p.proargnames, k) - 1], null), 'text')), ', '
      )
      from jsonb_object_keys(p_args) as k
    )
    into v_is_write, v_is_members, v_arguments
    from pg_catalog.pg_proc as p
    cross join lateral (select has_function_privilege('authenticated', p.oid, 'execute') as may) as m
    where p.pronamespace = 'api'::regnamespace and p.proname = p_function;
  end if;
  perform set_config('store.recorded_action', '', true) where v_is_write;
  execute format('select api.%I(%s)', p_function, v_arguments) into v_result using p_args;
  if v_is_write and current_setting('store.recorded_action') <> p_function then
    raise exception 'api.% changed something for an administrator and recorded no action', p_function;
  elsif v_is_members then
    perform app.require_uid();
  end if;
  return v_result;
exception when data_exception or undefined_function then
  -- The arguments are checked only after a failure, so that a valid call does not pay for it.
  perform app.check_arguments(p_function, p_args);
  raise;
end
$$;

comment on function app.call_api is
  'Executes api.<p_function> with the rights of the current role and returns its result. p_args maps parameter names to values, '
  'which are cast to the declared types.';

grant execute on function app.call_api(text, jsonb) to anon, authenticated, store_admin, service_role;
