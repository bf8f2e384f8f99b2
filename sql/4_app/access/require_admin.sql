-- Security definer: client roles cannot read auth.users.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
-- Raises: forbidden.
create or replace function app.require_admin(p_area text default null)
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_roles text[];
begin
  select a.roles into v_roles
  from app.administrators as a join auth.users as u on u.id = a.auth_id
  where a.auth_id = auth.uid() and u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true);
  if v_roles is null then
    perform app.fail('forbidden', 'This account is not an administrator.');
  elsif p_area is not null and not exists (
    select from app.role_areas() as r where r.role = any (v_roles) and p_area = any (r.areas)
  ) then
    perform app.fail('forbidden', 'The roles of this account do not allow this. An administrator with the role owner can do it.');
  end if;
end
$$;

comment on function app.require_admin is
  'Raises forbidden unless the caller is an administrator now and, with p_area, has a role that may change that area '
  '(app.role_areas). A token alone does not suffice: it stays valid for up to an hour after its account was demoted, banned or deleted.';

grant execute on function app.require_admin(text) to store_admin;
