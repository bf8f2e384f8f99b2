-- The Auth account that an email address or an id names.
-- Callers: add_administrator, remove_administrator. Locks: the account. Raises: user_not_found.
create or replace function app.find_account(p_account text)
returns uuid
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid;
begin
  select u.id into v_auth_id from auth.users as u
  where u.deleted_at is null and (u.id::text = lower(p_account) or lower(u.email) = lower(p_account))
  for update;
  if not found then
    perform app.fail('user_not_found', 'There is no account with this email address or id.');
  end if;
  return v_auth_id;
end
$$;
