-- Makes the account of an email address or an id an administrator, and returns its id. The account gets the token role
-- store_admin with its next token: whoever is signed in signs in again.
-- Callers: the owner of the database; no client role. Locks: the account. Raises: user_not_found.
-- Safe twice: an administrator stays one, with the roles given last.
create or replace function app.add_administrator(p_account text, p_roles text[] default '{owner}')
returns uuid
language plpgsql
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
