-- What tests need: extensions, where the server has them, and a right.
do $$
declare
  v_name text;
begin
  for v_name in select e.name from pg_catalog.pg_available_extensions as e
    where e.name in ('pgtap', 'plpgsql_check', 'postgres_fdw') loop
    execute format('create extension if not exists %I with schema extensions', v_name);
  end loop;
  -- On hosted Supabase, the owner of the store owns this one.
  if exists (select from pg_catalog.pg_foreign_data_wrapper as w where w.fdwname = 'postgres_fdw') then
    grant usage on foreign data wrapper postgres_fdw to postgres;
  end if;
end
$$;

-- On hosted Supabase, the extension supautils lets the owner of the store switch triggers off.
grant set on parameter session_replication_role to postgres;
