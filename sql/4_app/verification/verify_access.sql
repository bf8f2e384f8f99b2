-- The reason is in sql/1_schema/03_temporary_objects.sql.
create or replace function app.verify_access()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'clients_create_nothing_temporary',
    case when t.roles is null then 'ok' else 'warning' end,
    'database',
    case when t.roles is null then 'no client role can create temporary objects' else format('can create temporary objects: %s', t.roles) end,
    format('Run as the owner of the database: revoke temporary on database %I from public', current_database())
  from (
    select string_agg(r.rolname, ', ' order by r.rolname) as roles
    from pg_catalog.pg_roles as r
    where r.rolname in ('anon', 'authenticated', 'store_admin', 'service_role', 'store_api')
      and has_database_privilege(r.oid, current_database(), 'temporary')
  ) as t
$$;

comment on function app.verify_access is
  'Checks that no client role can create temporary objects. Returns check, severity, subject, message and hint.';
