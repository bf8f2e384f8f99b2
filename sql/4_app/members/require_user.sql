-- Raises: user_not_found.
create or replace function app.require_user(p_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from app.users as u where u.uid = p_uid) then
    perform app.fail('user_not_found');
  end if;
end
$$;

comment on function app.require_user is 'Raises user_not_found unless there is a member with this uid.';

grant execute on function app.require_user(bigint) to store_admin;
