-- Refuses a caller who is not an administrator now: a token outlives a demotion by up to an hour.
-- Callers: every administrative write. Security definer, because client roles cannot read auth.users.
-- Raises: forbidden.
create or replace function app.require_admin()
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from auth.users as u where u.id = auth.uid() and u.role = 'store_admin') then
    perform app.fail('forbidden', 'This account is not an administrator any more.');
  end if;
end
$$;

grant execute on function app.require_admin() to store_admin;
