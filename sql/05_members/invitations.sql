-- Invitations to become an administrator: a role counts only when the owner of the address has opened a link that was
-- sent to it.

create or replace function app.invitation_expires_at(p_invitation app.invitations)
returns timestamptz
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_invitation.invited_at + interval '7 days'
$$;

comment on function app.invitation_expires_at is 'Returns until when an invitation can be accepted.';

create or replace function app.is_open_invitation(p_invitation app.invitations)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.invitation_expires_at(p_invitation) > clock_timestamp() and exists (
    select from app.administrators as a join auth.users as u on u.id = a.auth_id
    where a.auth_id = p_invitation.invited_by and 'owner' = any (a.roles)
      and app.is_active_administrator(u)
  )
$$;

comment on function app.is_open_invitation is
  'Returns whether an invitation can be accepted: it has not expired, and its sender is still an active owner.';

-- Precondition: the caller holds the lock of the account.
-- Locks: the invitation.
-- Idempotent: an accepted invitation is deleted.
create or replace function app.accept_invitation(p_auth_id uuid, p_since timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_invitation app.invitations;
begin
  delete from app.invitations as i using auth.users as u
  where u.id = p_auth_id and i.email = u.email and not u.is_sso_user and i.invited_at < p_since
    and app.is_open_invitation(i) and not app.has_strange_phone(u.id)
  returning i.* into v_invitation;
  if not found then
    return;
  end if;
  perform app.give_roles(p_auth_id, v_invitation.roles, v_invitation.name, v_invitation.invited_by);
  perform app.record_action(
    'accept_invitation', 'administrator', p_auth_id::text, null, jsonb_build_object('roles', v_invitation.roles), null,
    p_auth_id
  );
end
$$;

comment on function app.accept_invitation is
  'Makes an account an administrator if its address was invited before p_since, when the link was opened that proved '
  'it. Does nothing if app.has_strange_phone.';
