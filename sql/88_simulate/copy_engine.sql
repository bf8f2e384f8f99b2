-- Makes an empty copy of the settlement engine in a schema of its own: its tables with their keys and constraints, and
-- all functions of schema app with the schema's name exchanged, so that what is simulated is what runs. Nothing outside
-- the calling transaction ever sees the copy, and its locks are on objects of its own.
-- Callers: simulate, which undoes it. The copy's structure lock is another one than the store's.
create or replace function app.copy_engine(p_schema text)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
  v_function record;
begin
  execute format('create schema %I', p_schema);
  foreach v_table in array array[
    'settings', 'agent_levels', 'level_versions', 'agent_level_tasks', 'users', 'user_balances', 'commission_plans', 'orders',
    'settlements', 'settlement_jobs', 'user_bill', 'level_changes'
  ] loop
    execute format('create table %I.%I (like app.%I including all)', p_schema, v_table, v_table);
  end loop;
  for v_table in
    select c.relname from pg_catalog.pg_class as c where c.relnamespace = 'app'::regnamespace and c.relkind = 'c'
  loop
    execute format('create table %I.%I (like app.%I)', p_schema, v_table, v_table);
  end loop;
  perform set_config('check_function_bodies', 'off', true);
  for v_function in
    select pg_get_functiondef(p.oid) as definition
    from pg_catalog.pg_proc as p
    where p.pronamespace = 'app'::regnamespace and p.prokind = 'f' and p.prorettype <> 'pg_catalog.trigger'::regtype
      and not exists (
        -- Functions on rows of tables that the copy leaves out are of no use to it.
        select from unnest(p.proargtypes::oid[] || coalesce(p.proallargtypes, '{}') || p.prorettype) as t (oid)
        join pg_catalog.pg_type as y on y.oid = t.oid and y.typnamespace = 'app'::regnamespace
        where to_regclass(format('%I.%I', p_schema, ltrim(y.typname, '_'))) is null
      )
  loop
    execute replace(regexp_replace(v_function.definition, '\mapp\.', p_schema || '.', 'g'), '74010001', '74010002');
  end loop;
end
$$;
