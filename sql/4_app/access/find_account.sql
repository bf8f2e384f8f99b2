-- Locks: the account.
-- Raises: user_not_found.
create or replace function app.find_account(p_account text)
returns uuid
language plpgsql
volatile
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

comment on function app.find_account is 'Locks the Auth account with this email address or id and returns its id.';
