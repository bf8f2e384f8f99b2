-- Guarantee access/privileges
begin;
\ir ../support/fixture.psql
select plan(6);

-- Privileges that the two matrices do not cover: on schemas, sequences and columns, and of other roles.
select set_eq($$
  select n.nspname::text, a.privilege_type, string_agg(a.grantee::regrole::text, ' ' order by a.grantee::regrole::text)
  from pg_namespace as n cross join aclexplode(n.nspacl) as a
  where n.nspname in ('app', 'api', 'entry') and a.grantee <> n.nspowner
  group by n.nspname, a.privilege_type
$$, $$ values
  ('app', 'USAGE', 'anon authenticated service_role store_admin store_api store_key'),
  ('api', 'USAGE', 'anon authenticated service_role store_admin store_key'),
  ('entry', 'USAGE', 'store_api')
$$, 'client roles have USAGE on the schemas and not CREATE');
select is_empty($$
  select c.relname, a.grantee::regrole from pg_class as c cross join aclexplode(c.relacl) as a
  where c.relnamespace in ('app'::regnamespace, 'api'::regnamespace) and c.relkind = 'S' and a.grantee <> c.relowner
$$, 'only the owner has privileges on sequences');
select is_empty($$
  select t.attrelid::regclass, t.attname from pg_attribute as t join pg_class as c on c.oid = t.attrelid
  where c.relnamespace in ('app'::regnamespace, 'api'::regnamespace) and t.attacl is not null
$$, 'there are no column privileges');
select is_empty($$
  select o.name, coalesce(nullif(o.grantee, 0)::regrole::text, 'PUBLIC') from (
    select p.oid::regprocedure::text, a.grantee, p.proowner
    from pg_proc as p cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
    where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace, 'entry'::regnamespace)
    union all
    select c.oid::regclass::text, a.grantee, c.relowner from pg_class as c cross join aclexplode(c.relacl) as a
    where c.relnamespace in ('app'::regnamespace, 'api'::regnamespace)
  ) as o (name, grantee, owner)
  where o.grantee <> o.owner and o.grantee not in (
    select r.oid from pg_roles as r
    where r.rolname in ('anon', 'authenticated', 'store_admin', 'store_key', 'service_role', 'store_api')
  )
$$, 'no other role has privileges');
select is_empty(
  $$ select relname from pg_class
  where relnamespace in ('api'::regnamespace, 'entry'::regnamespace) $$, 'schemas api and entry contain only functions'
);

create function app.brand_new() returns integer language sql as 'select 1';
select ok(
  not has_function_privilege('anon', 'app.brand_new()', 'execute'), 'a new function can be executed only after a grant'
);

select * from finish();
rollback;
