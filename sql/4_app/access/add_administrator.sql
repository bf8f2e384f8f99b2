-- Locks: the account.
-- Raises: user_not_found.
-- Idempotent: an administrator stays one and has the roles given last.
create or replace function app.add_administrator(p_account text, p_roles text[] default '{owner}')
returns uuid
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid := app.find_account(p_account);
  v_was text[] := (select a.roles from app.administrators as a where a.auth_id = v_auth_id);
begin
  update auth.users set role = 'store_admin' where id = v_auth_id and role is distinct from 'store_admin';
  insert into app.administrators (auth_id, roles, added_at) values (v_auth_id, p_roles, clock_timestamp())
  on conflict (auth_id) do update set roles = excluded.roles;
  perform app.record_action(
    'add_administrator', 'administrator', v_auth_id::text,
    case when v_was is not null then jsonb_build_object('roles', v_was) end, jsonb_build_object('roles', p_roles)
  );
  return v_auth_id;
end
$$;

comment on function app.add_administrator is
  'Makes the account with this email address or id an administrator with the given roles, and returns its id. The account gets '
  'the role store_admin with its next token, so a signed-in user must sign in again. For the owner of the database; no client '
  'role may execute it.';
