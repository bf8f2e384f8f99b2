-- The entry points of reads: one function for each that reads in schema api, with which a request costs one prepared
-- call (docs/decisions/0081).

-- Generated from the catalogue, so this file is loaded after all functions of schema api. An entry point does what
-- app.as_caller does without a key. But it names function, arguments and their types, so the session keeps its plan.
-- Postgres checks whether the caller may execute the function of schema api after the role was taken: PL/pgSQL prepares
-- an expression when a transaction reaches it, and functions of schema api are never inlined. Arguments are one
-- parameter, as in app.as_caller, so that none appears in the log. A failed cast is caught for the same reason. Without
-- a search path, which takes time in each call: every name is qualified. The first condition is a case, because within
-- `and`, the planner may leave out a function whose result no longer matters.
do $generate$
declare
  v_function record;
  v_defaults jsonb;
begin
  for v_function in
    select p.proname as name, p.prorettype::regtype as result, count(a.name) as arguments,
      coalesce(array_agg(a.name order by a.place) filter (where a.name is not null), '{}') as names,
      coalesce(
        array_agg(a.name order by a.place) filter (where a.name is not null and a.value is null), '{}'
      ) as required,
      string_agg(
        format('%L, %s', a.name, a.value), ', ' order by a.place
      ) filter (where a.value is not null) as defaults,
      string_agg(
        format('%1$I => (p_args ->> %1$L)::%2$s', a.name, a.type), ', ' order by a.place
      ) filter (where a.name is not null) as typed
    from pg_proc as p
    left join lateral (
      select u.place, p.proargnames[u.place] as name, pg_get_function_arg_default(p.oid, u.place::integer) as value,
        format('%I.%I', t.typnamespace::regnamespace, t.typname) as type
      from unnest(p.proargtypes::oid[]) with ordinality as u (id, place) join pg_type as t on t.oid = u.id
    ) as a on true
    -- What visitors may call writes nothing, even if it is volatile: api.get_required_article draws at random.
    where p.pronamespace = 'api'::regnamespace and (
      has_function_privilege('anon', p.oid, 'execute')
      or p.provolatile <> 'v'
      and (
        has_function_privilege('authenticated', p.oid, 'execute')
        or has_function_privilege('store_admin', p.oid, 'execute')
      )
    )
    group by p.oid
    order by p.proname
  loop
    execute format('select jsonb_strip_nulls(jsonb_build_object(%s))', v_function.defaults) into v_defaults;
    execute format(
      $definition$
        create or replace function entry.%1$I(p_claims text, p_role text, p_request_id text, p_args jsonb)
        returns %2$s
        language plpgsql
        volatile
        as $body$
        begin
          if (case when app.become_caller(p_claims, p_role, p_request_id, %1$L) then %3$s end) then
            perform app.check_arguments(%1$L, p_args);
          end if;
          %4$s
        end
        $body$
      $definition$,
      v_function.name, v_function.result,
      case
        when v_function.arguments = 0 then $$p_args <> '{}'$$
        else format(
          'p_args - %L::pg_catalog.text[] <> ''{}'' or not p_args ?& %L', v_function.names, v_function.required
        )
      end,
      case when v_function.arguments = 0 then format('return api.%I();', v_function.name) else format(
        $call$
          begin
            p_args := %3$L || p_args;
            return api.%1$I(%2$s);
          exception when data_exception then
            perform app.check_arguments(%1$L, p_args);
            raise;
          end;
        $call$,
        v_function.name, v_function.typed, v_defaults
      ) end
    );
    execute format('comment on function entry.%1$I is ''The entry point of api.%1$I.''', v_function.name);
    execute format('grant execute on function entry.%I(text, text, text, jsonb) to store_api', v_function.name);
  end loop;
end
$generate$;
