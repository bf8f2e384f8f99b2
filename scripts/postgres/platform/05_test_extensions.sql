-- Extensions for test databases, where the server has them.
do $$
declare
  v_name text;
begin
  for v_name in select e.name from pg_catalog.pg_available_extensions as e where e.name in ('pgtap', 'plpgsql_check') loop
    execute format('create extension if not exists %I with schema extensions', v_name);
  end loop;
end
$$;
