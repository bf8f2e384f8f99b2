-- What administrators may call about the people of the shop: administrators and invitations.

-- Locks: the account, then the administrators with the role owner. Whoever has just lost the role then acts no more.
create or replace function app.lock_administrator(p_auth_id uuid)
returns app.administrators
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_administrator app.administrators;
begin
  perform from auth.users as u where u.id = p_auth_id for update;
  perform from app.administrators as a where 'owner' = any (a.roles) or a.auth_id = p_auth_id order by a.auth_id
  for update;
  perform app.require_admin('administrators');
  select a.* into v_administrator from app.administrators as a where a.auth_id = p_auth_id;
  if not found then
    perform app.fail('administrator_not_found');
  end if;
  return v_administrator;
end
$$;

comment on function app.lock_administrator is
  'Locks an administrator and all owners and returns the administrator. Raises administrator_not_found, or forbidden '
  'if the caller is no longer an owner.';

-- Security definer: client roles cannot read auth.users.
create or replace function api.get_administrators()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    with people as (
      select a.auth_id, app.has_factor(a.auth_id) as has_second_factor, null::bigint as invitation_id,
        u.email::text as email, a.name, m.uid, a.roles, a.added_at, a.added_by, u.last_sign_in_at,
        null::timestamptz as expires_at,
        case when app.is_active_administrator(u) then 'active' else 'blocked' end as state
      from app.administrators as a join auth.users as u on u.id = a.auth_id
      left join app.users as m on m.auth_id = a.auth_id
      union all
      select null, null, i.id, i.email, i.name, null, i.roles, i.invited_at, i.invited_by, null,
        app.invitation_expires_at(i),
        case when app.is_open_invitation(i) then 'invited' else 'expired' end
      from app.invitations as i
    )
    select app.list_json(
      jsonb_agg(jsonb_build_object(
        'auth_id', p.auth_id, 'invitation_id', p.invitation_id, 'email', p.email, 'name', p.name, 'uid', p.uid, 'roles',
        to_jsonb(p.roles),
        'state', p.state, 'added_at', app.utc(p.added_at), 'added_by', app.actor_json(p.added_by), 'last_sign_in_at',
        app.utc(p.last_sign_in_at),
        'expires_at', app.utc(p.expires_at), 'has_second_factor', p.has_second_factor, 'factor_removal', (
          select jsonb_build_object('asked_by', app.actor_json(r.asked_by), 'asked_at', app.utc(r.asked_at))
          from app.factor_removals as r where r.auth_id = p.auth_id and app.is_open_removal(r)
        )
      ) order by p.invitation_id nulls first, p.added_at, p.auth_id), count(*)
    )
    from people as p
  );
end
$$;

comment on function api.get_administrators is
  'Returns all administrators, those of longest standing first, then all invitations: {list, count}. Serves GET '
  '/adminapi/administrator.';

grant execute on function api.get_administrators() to store_admin;

create or replace function app.check_name(p_name text)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if char_length(p_name) > 64 or not app.is_line(p_name) then
    perform app.fail(
      'invalid_argument', 'The name must have 1 to 64 characters in one line and must not be blank.', '/name'
    );
  end if;
end
$$;

comment on function app.check_name is
  'Raises invalid_argument for a name that is not one line of at most 64 characters. Null passes.';

-- Whoever can give roles can do everything, so a stolen password does not suffice, whatever the settings say. A name
-- needs no second factor by itself.
-- Locks: the account and the owners.
-- Idempotent: setting the same values again changes nothing.
create or replace function api.set_administrator(p_auth_id uuid, p_roles jsonb default null, p_name text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.administrators;
  v_roles text[];
begin
  perform app.require_admin('administrators');
  perform app.check_name(p_name);
  v_before := app.lock_administrator(p_auth_id);
  v_roles := coalesce(app.roles_in(p_roles), v_before.roles);
  if p_auth_id = auth.uid() and not 'owner' = any (v_roles) then
    perform app.fail('own_account', 'You cannot give up the role owner yourself; another owner can take it from you.');
  end if;
  if not (v_roles @> v_before.roles and v_roles <@ v_before.roles) then
    perform app.require_second_factor();
  end if;
  if p_roles is not null then
    perform app.give_roles(p_auth_id, v_roles, p_name, null);
  else
    update app.administrators as a set name = coalesce(p_name, a.name) where a.auth_id = p_auth_id;
  end if;
  perform app.record_action(
    'set_administrator', 'administrator', p_auth_id::text, to_jsonb(v_before),
    (select to_jsonb(a) from app.administrators as a where a.auth_id = p_auth_id),
    '{roles}'
  );
  return api.get_administrators();
end
$$;

comment on function api.set_administrator is
  'Changes roles and name of an administrator and returns what get_administrators returns. Null leaves a value as it '
  'is. Other roles need a second factor. Raises own_account for an owner who gives up the role. Serves PUT '
  '/adminapi/administrator/{auth_id}.';

grant execute on function api.set_administrator(uuid, jsonb, text) to store_admin;

-- Security definer: client roles may not use schema auth, which has the id of the caller.
create or replace function api.get_own_roles()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return (
    select jsonb_build_object(
      'auth_id', a.auth_id, 'name', a.name, 'roles', to_jsonb(a.roles),
      'areas', (
        select jsonb_agg(distinct n.area)
        from app.role_areas() as r cross join lateral unnest(r.areas) as n (area)
        where r.role = any (a.roles)
      )
    )
    from app.administrators as a where a.auth_id = auth.uid()
  );
end
$$;

comment on function api.get_own_roles is
  'Returns the name, the roles and the areas of the calling administrator. Serves GET /adminapi/me.';

grant execute on function api.get_own_roles() to store_admin;

-- Locks: the administrator.
-- Idempotent: setting the same name again changes nothing.
create or replace function api.set_own_name(p_name text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before text;
begin
  perform app.require_admin(null);
  if p_name is null then
    perform app.fail(
      'invalid_argument', 'The name must have 1 to 64 characters in one line and must not be blank.', '/name'
    );
  end if;
  perform app.check_name(p_name);
  select a.name into v_before from app.administrators as a where a.auth_id = auth.uid() for update;
  update app.administrators as a set name = p_name where a.auth_id = auth.uid();
  perform app.record_action(
    'set_own_name', 'administrator', auth.uid()::text, jsonb_build_object('name', v_before),
    jsonb_build_object('name', p_name), '{}'
  );
  return api.get_own_roles();
end
$$;

comment on function api.set_own_name is
  'Changes the caller''s name for other administrators and returns what get_own_roles returns. Serves PUT '
  '/adminapi/me.';

grant execute on function api.set_own_name(text) to store_admin;

-- Locks: the account and the owners.
-- Idempotent: a removed administrator is not found, and nothing changes.
create or replace function api.remove_administrator(p_auth_id uuid)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('administrators');
  perform app.lock_administrator(p_auth_id);
  if p_auth_id = auth.uid() then
    perform app.fail('own_account', 'You cannot remove yourself; another owner can.');
  end if;
  perform app.remove_administrator(p_auth_id::text);
  return api.get_administrators();
end
$$;

comment on function api.remove_administrator is
  'Removes an administrator and returns what get_administrators returns. Raises own_account for oneself. Serves DELETE '
  '/adminapi/administrator/{auth_id}.';

grant execute on function api.remove_administrator(uuid) to store_admin;

-- An invitation gives roles, as api.set_administrator does.
-- Locks: the invitation.
-- Idempotent: a repeated invitation has the values given last, and begins anew.
create or replace function api.invite_administrator(p_email text, p_roles jsonb, p_name text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_roles text[] := app.roles_in(p_roles);
  v_before app.invitations;
  v_after app.invitations;
begin
  perform app.require_admin('administrators');
  perform app.require_second_factor();
  perform app.check_name(p_name);
  if v_roles is null or p_email is null or char_length(p_email) > 255 or not app.is_line(p_email)
    or p_email !~ '^[^@[:space:]]+@[^@[:space:]]+$' then
    perform app.fail('invalid_argument', 'An invitation needs an email address and at least one role.');
  end if;
  select i.* into v_before from app.invitations as i where i.email = lower(p_email) for update;
  insert into app.invitations as i (email, roles, name, invited_by, invited_at)
  values (lower(p_email), v_roles, p_name, auth.uid(), clock_timestamp())
  on conflict (email) do update
  set roles = excluded.roles, name = excluded.name, invited_by = excluded.invited_by, invited_at = excluded.invited_at
  returning i.* into v_after;
  if exists (
    select from app.administrators as a join auth.users as u on u.id = a.auth_id
    where u.email = v_after.email and u.role = 'store_admin' and u.deleted_at is null
  ) then
    perform app.fail('invalid_argument', 'This address belongs to an administrator. Change the roles there.', '/email');
  end if;
  perform app.record_action(
    'invite_administrator', 'invitation', v_after.id::text,
    case when v_before.id is not null then to_jsonb(v_before) - '{id, invited_by}'::text[] end,
    to_jsonb(v_after) - '{id, invited_by}'::text[], '{roles, invited_at}'
  );
  return api.get_administrators();
end
$$;

comment on function api.invite_administrator is
  'Invites the owner of an email address for seven days, in place of an earlier invitation, and returns what '
  'get_administrators returns. The edge function sends the mail. Needs a second factor. Serves POST '
  '/adminapi/administrator/invitation.';

grant execute on function api.invite_administrator(text, jsonb, text) to store_admin;

-- Locks: the account that the mail created, then the invitation: in the order of app.accept_invitation.
-- Idempotent: a withdrawn invitation is not found, and nothing changes.
create or replace function api.withdraw_invitation(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account uuid;
  v_invitation app.invitations;
begin
  perform app.require_admin('administrators');
  select u.id into v_account
  from app.invitations as i join auth.users as u on u.email = i.email and not u.is_sso_user
  where i.id = p_id
  order by u.id limit 1
  for update of u;
  delete from app.invitations as i where i.id = p_id returning i.* into v_invitation;
  if not found then
    perform app.fail('administrator_not_found', 'This invitation was accepted or withdrawn.');
  end if;
  -- So that the link of the mail leads to no account.
  delete from auth.users as u
  where u.id = v_account and u.invited_at is not null and u.email_confirmed_at is null and u.phone_confirmed_at is null
    and u.last_sign_in_at is null;
  perform app.record_action(
    'withdraw_invitation', 'invitation', p_id::text, jsonb_build_object('roles', v_invitation.roles), null
  );
  return api.get_administrators();
end
$$;

comment on function api.withdraw_invitation is
  'Withdraws an invitation, with the unused account that its mail has created, and returns what get_administrators '
  'returns. Serves DELETE /adminapi/administrator/invitation/{id}.';

grant execute on function api.withdraw_invitation(bigint) to store_admin;

-- Locks: the account, the owners, and the request.
-- Idempotent: an open request stays as it is.
create or replace function api.request_factor_removal(p_auth_id uuid)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_removal app.factor_removals;
  v_is_open boolean;
begin
  perform app.require_admin('administrators');
  perform app.require_recent_sign_in();
  perform app.lock_administrator(p_auth_id);
  if p_auth_id = auth.uid() then
    perform app.fail(
      'own_account',
      'You remove your own devices in the menu of your account. Two other owners can remove them for you.'
    );
  elsif not app.has_factor(p_auth_id) then
    perform app.fail('invalid_argument', 'This administrator has no second factor.');
  end if;
  select r.* into v_removal from app.factor_removals as r where r.auth_id = p_auth_id for update;
  v_is_open := v_removal.auth_id is not null and app.is_open_removal(v_removal);
  if not v_is_open then
    insert into app.factor_removals (auth_id, asked_by, asked_at) values (p_auth_id, auth.uid(), clock_timestamp())
    on conflict (auth_id) do update set asked_by = excluded.asked_by, asked_at = excluded.asked_at;
  end if;
  perform app.record_action(
    'request_factor_removal', 'administrator', p_auth_id::text, jsonb_build_object('factor_removal', v_is_open),
    '{"factor_removal": true}'::jsonb
  );
  return api.get_administrators();
end
$$;

comment on function api.request_factor_removal is
  'Asks another owner to confirm, within seven days, the removal of the second factor of an administrator, and returns '
  'what get_administrators returns. Serves POST /adminapi/factor_removal/{auth_id}.';

grant execute on function api.request_factor_removal(uuid) to store_admin;

-- Locks: the account, the owners, and the request.
-- Idempotent: what is confirmed is gone, and a second call raises changed_meanwhile.
create or replace function api.confirm_factor_removal(p_auth_id uuid)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_removal app.factor_removals;
begin
  perform app.require_admin('administrators');
  perform app.require_recent_sign_in();
  perform app.lock_administrator(p_auth_id);
  if p_auth_id = auth.uid() then
    perform app.fail('own_account');
  end if;
  select r.* into v_removal from app.factor_removals as r where r.auth_id = p_auth_id for update;
  if v_removal.auth_id is null or not app.is_open_removal(v_removal) then
    perform app.fail('changed_meanwhile', 'Nobody asks for this any more.');
  elsif v_removal.asked_by = auth.uid() then
    perform app.fail('second_administrator_needed', 'You asked for this. Another owner must confirm it.');
  end if;
  perform app.drop_factors(p_auth_id);
  perform app.record_action(
    'confirm_factor_removal', 'administrator', p_auth_id::text,
    '{"second_factor": true, "factor_removal": true}'::jsonb,
    '{"second_factor": false, "factor_removal": false}'::jsonb
  );
  return api.get_administrators();
end
$$;

comment on function api.confirm_factor_removal is
  'Removes the second factors of an administrator, ends their sessions, and returns what get_administrators returns. '
  'Raises second_administrator_needed for the owner who asked. Serves PUT /adminapi/factor_removal/{auth_id}.';

grant execute on function api.confirm_factor_removal(uuid) to store_admin;

-- Locks: the account, the owners, and the request.
-- Idempotent: what is taken back is gone, and a second call raises changed_meanwhile.
create or replace function api.cancel_factor_removal(p_auth_id uuid)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('administrators');
  perform app.lock_administrator(p_auth_id);
  delete from app.factor_removals as r where r.auth_id = p_auth_id;
  if not found then
    perform app.fail('changed_meanwhile', 'Nobody asks for this any more.');
  end if;
  perform app.record_action(
    'cancel_factor_removal', 'administrator', p_auth_id::text, '{"factor_removal": true}'::jsonb,
    '{"factor_removal": false}'::jsonb
  );
  return api.get_administrators();
end
$$;

comment on function api.cancel_factor_removal is
  'Takes back the request of any owner to remove a second factor and returns what get_administrators returns. Serves '
  'DELETE /adminapi/factor_removal/{auth_id}.';

grant execute on function api.cancel_factor_removal(uuid) to store_admin;
