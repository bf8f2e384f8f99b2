begin;
\ir ../support/fixture.psql
select plan(7);

select results_eq($$ select rolcanlogin, rolinherit, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles
  where rolname = 'store_api' $$,
  $$ values (true, false, false, false, false, false) $$,
  'it can log in, inherits no privileges and does not bypass row-level security');
select results_eq($$ select rolcanlogin, rolsuper, rolbypassrls from pg_roles
  where rolname in ('store_admin', 'store_key') $$,
  $$ values (false, false, false), (false, false, false) $$, 'nobody can log in as store_admin or store_key');
select
  is((select count(*) from pg_class where relowner = 'store_api'::regrole) + (select count(*) from pg_proc
  where proowner = 'store_api'::regrole),
  0::bigint, 'it owns nothing');
select set_eq($$
  select r.roleid::regrole::text from pg_auth_members as r where r.member = 'store_api'::regrole
$$, array['anon', 'authenticated', 'store_admin', 'store_key', 'service_role'], 'the roles that it can set');
select set_eq($$ select unnest(rolconfig) from pg_roles where rolname = 'store_api' $$,
  array['statement_timeout=15s', 'lock_timeout=8s', 'idle_in_transaction_session_timeout=15s',
  'constraint_exclusion=off'],
  'it has short timeouts, and plans without check constraints');
select set_eq($$ select rolname from pg_roles where 'constraint_exclusion=off' = any (rolconfig) $$,
  $$ select unnest(
    array['store_api', 'store_analyst', (select nspowner::regrole::text from pg_namespace where nspname = 'app')]
  ) $$,
  'the roles of the functions, of analysts and of the jobs plan without check constraints');
select is((select rolconnlimit from pg_roles where rolname = 'store_api'), 50, 'it leaves connections to others');

select * from finish();
rollback;
