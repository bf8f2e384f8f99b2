-- What the role of machine keys may read and execute: of schema api the functions of the scopes, and below them what
-- administrators may.

-- Generated from the catalogue, as the entry points are, so this file is loaded after all functions and policies.
do $grant$
declare
  v_object record;
begin
  for v_object in
    select format('grant execute on function %s to store_key', p.oid::regprocedure) as statement
    from pg_proc as p
    where p.pronamespace = 'app'::regnamespace and has_function_privilege('store_admin', p.oid, 'execute')
      or p.pronamespace = 'api'::regnamespace
      and exists (select from app.key_scopes() as s where p.proname = any (s.functions))
    union all
    select format('grant select on %s to store_key', c.oid::regclass)
    from pg_class as c
    where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p', 'v')
      and has_table_privilege('store_admin', c.oid, 'select')
    union all
    select format(
      'alter policy %I on %I.%I to %s, store_key', p.policyname, p.schemaname, p.tablename,
      array_to_string(p.roles, ', ')
    )
    from pg_policies as p
    where p.schemaname = 'app' and 'store_admin' = any (p.roles)
    order by 1
  loop
    execute v_object.statement;
  end loop;
end
$grant$;
