-- Raises: invalid_argument. The message does not repeat the value, which can be very long.
create or replace function app.check_arguments(p_function text, p_args jsonb)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_function pg_catalog.pg_proc;
  v_argument record;
  v_types jsonb;
begin
  select p.* into v_function from pg_catalog.pg_proc as p where p.pronamespace = 'api'::regnamespace and p.proname = p_function;
  if not found then
    return;
  end if;
  select coalesce(jsonb_object_agg(v_function.proargnames[t.place], format_type(t.type, null)), '{}') into v_types
  from unnest(v_function.proargtypes::oid[]) with ordinality as t (type, place);
  for v_argument in
    select a.key as name, a.value, v_types ->> a.key as type
    from jsonb_each_text(p_args) as a
  loop
    if v_argument.type is null then
      perform app.fail('invalid_argument', format('There is no argument %s.', left(v_argument.name, 64)));
    end if;
    begin
      execute format('select $1::%s', v_argument.type) using v_argument.value;
    exception when data_exception then
      perform app.fail('invalid_argument', format('%s is not a value of type %s, or too large for it.', v_argument.name, v_argument.type));
    end;
  end loop;
  if exists (
    select from generate_series(1, v_function.pronargs - v_function.pronargdefaults) as r (place)
    where not p_args ? v_function.proargnames[r.place]
  ) then
    perform app.fail('invalid_argument', 'An argument is missing.');
  end if;
end
$$;

comment on function app.check_arguments is
  'Raises invalid_argument for the argument that made a call of schema api fail: an unknown one, a missing one, or one that is '
  'not of its parameter''s type. Returns normally if no argument is at fault.';

grant execute on function app.check_arguments(text, jsonb) to anon, authenticated, service_role, store_admin;
