-- What tests need: extensions, where the server has them, and a right.
do $$
declare
  v_name text;
begin
  for v_name in select e.name from pg_catalog.pg_available_extensions as e where e.name in ('pgtap', 'plpgsql_check') loop
    execute format('create extension if not exists %I with schema extensions', v_name);
  end loop;
end
$$;

-- On hosted Supabase, the extension supautils lets the owner of the store switch triggers off.
grant set on parameter session_replication_role to postgres;
