-- Security definer: client roles cannot read auth.users.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
-- Raises: forbidden.
create or replace function app.require_admin()
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from app.administrators as a join auth.users as u on u.id = a.auth_id
    where a.auth_id = auth.uid() and u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true)
  ) then
    perform app.fail('forbidden', 'This account is not an administrator.');
  end if;
end
$$;

comment on function app.require_admin is
  'Raises forbidden unless the caller is an administrator now. A token alone does not suffice: it stays valid for up to an hour '
  'after its account was demoted, banned or deleted.';

grant execute on function app.require_admin() to store_admin;
