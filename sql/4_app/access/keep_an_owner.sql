-- Locks: the administrators with the role owner, so that two of them cannot be the last one for each other.
-- Raises: invalid_argument.
create or replace function app.keep_an_owner(p_auth_id uuid)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.administrators as a where 'owner' = any (a.roles) order by a.auth_id for update;
  if exists (select from app.administrators as a where a.auth_id = p_auth_id and 'owner' = any (a.roles)) and not exists (
    select from app.administrators as a join auth.users as u on u.id = a.auth_id
    where a.auth_id <> p_auth_id and 'owner' = any (a.roles)
      and u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true)
  ) then
    perform app.fail('invalid_argument', 'This account is the last one with the role owner. Give the role to another account first.');
  end if;
end
$$;

comment on function app.keep_an_owner is
  'Raises invalid_argument if the account is an owner and no other active account is. Call it before an account loses the role owner.';
