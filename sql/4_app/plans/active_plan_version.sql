-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.active_plan_version()
returns integer
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select max(p.version) from app.commission_plans as p);
end
$$;

comment on function app.active_plan_version is 'Returns the version of the commission plan in force, which is the newest one.';

grant execute on function app.active_plan_version() to store_admin;
