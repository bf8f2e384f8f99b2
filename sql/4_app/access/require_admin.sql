-- Refuses a caller who is not an administrator at this moment: a token outlives a demotion, a ban or the deletion of its
-- account by up to an hour.
-- Callers: every function of schema api for administrators, reads as well as writes, before anything else.
-- Security definer, because client roles cannot read auth.users. In plpgsql because its plan is kept. Raises: forbidden.
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

grant execute on function app.require_admin() to store_admin;
