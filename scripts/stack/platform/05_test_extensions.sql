-- Extensions for test databases.
create extension if not exists pgtap with schema extensions;
select 'create extension if not exists plpgsql_check with schema extensions'
where exists (select from pg_catalog.pg_available_extensions where name = 'plpgsql_check')
\gexec
