-- Roles that the store adds to those of Supabase (anon, authenticated, service_role, authenticator).
-- Roles belong to the cluster, not to the database, so each may already exist.
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'store_admin') then
    create role store_admin nologin noinherit;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'store_api') then
    -- Deployment sets its password. Without one, sign-in is impossible.
    create role store_api login noinherit;
  end if;
end
$$;

-- An administrator's token carries the role claim store_admin, so the Data API must be able to switch to it.
grant store_admin to authenticator;

-- The edge functions sign in as store_api and become the caller for one statement (app.as_caller, app.as_service).
grant anon, authenticated, store_admin, service_role to store_api;

-- Limits for requests, because a person waits for each. docs/operations.md lists them.
alter role store_api set statement_timeout = '15s';
alter role store_api set lock_timeout = '8s';
alter role store_api set idle_in_transaction_session_timeout = '15s';
-- Leaves connections of the server to the scheduled jobs and to operators.
alter role store_api connection limit 50;
