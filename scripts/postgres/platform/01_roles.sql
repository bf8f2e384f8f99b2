-- Roles belong to the server, not to a database. This script is idempotent. `createPlatformRoles` sets the passwords.
do $$
declare
  v_name text;
begin
  foreach v_name in array array['supabase_admin', 'postgres', 'anon', 'authenticated', 'service_role', 'authenticator',
  'supabase_auth_admin'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_name) then
      execute format('create role %I', v_name);
    end if;
  end loop;
end
$$;

alter role supabase_admin superuser createdb createrole replication bypassrls login;
-- The owner of the store has many privileges but is not a superuser.
alter role postgres nosuperuser createdb createrole replication bypassrls login;
alter role anon nologin;
alter role authenticated nologin;
alter role service_role nologin bypassrls;
alter role authenticator login noinherit;
alter role supabase_auth_admin login noinherit;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres with admin option;
grant authenticator to postgres with admin option;
grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres;

alter role supabase_admin set search_path = "$user", public, auth, extensions;
alter role postgres set search_path = "$user", public, extensions;
alter role supabase_auth_admin set search_path = auth;
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
