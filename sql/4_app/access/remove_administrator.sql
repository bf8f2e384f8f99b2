-- Locks: the account and the administrators with the role owner.
-- Raises: user_not_found, invalid_argument.
-- Idempotent: no-op if the account is not an administrator.
create or replace function app.remove_administrator(p_account text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid := app.find_account(p_account);
  v_was text[];
begin
  perform app.keep_an_owner(v_auth_id);
  update auth.users set role = 'authenticated' where id = v_auth_id and role = 'store_admin';
  delete from app.administrators as a where a.auth_id = v_auth_id returning a.roles into v_was;
  if found then
    perform app.record_action('remove_administrator', 'administrator', v_auth_id::text, jsonb_build_object('roles', v_was), null);
  end if;
end
$$;

comment on function app.remove_administrator is
  'Removes an account from the administrators with immediate effect. The account stays a member. The last '
  'owner cannot be removed. For the owner of the database; '
  'no client role may execute it.';
