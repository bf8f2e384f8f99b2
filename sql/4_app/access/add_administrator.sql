-- Locks: the account; if an owner loses the role, also the administrators with it.
-- Raises: user_not_found, invalid_argument.
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
  if cardinality(p_roles) = 0 or not p_roles <@ array(select r.role from app.role_areas() as r) then
    perform app.fail('invalid_argument', 'The roles are owner, finance, service and content. An administrator has at least one.');
  elsif not 'owner' = any (p_roles) then
    perform app.keep_an_owner(v_auth_id);
  end if;
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
  'Makes the account with this email address or id an administrator with the given roles, or gives an administrator these roles instead '
  'of the earlier ones, and returns its id. New roles count from the next request; the last owner keeps the role. The account gets '
  'the role store_admin with its next token, so a signed-in user must sign in again. For the owner of the database; no client '
  'role may execute it.';
