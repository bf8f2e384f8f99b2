-- The second factor of administrators: for which areas a call needs it, what the token says about it, and how it is
-- removed from a person who has lost it.

create or replace function app.second_factor_at()
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select to_timestamp(max((m.proof ->> 'timestamp')::double precision))
  from jsonb_array_elements(
    case jsonb_typeof(auth.jwt() -> 'amr') when 'array' then auth.jwt() -> 'amr' end
  ) as m (proof)
  where m.proof ->> 'method' in ('totp', 'mfa/phone', 'mfa/webauthn')
$$;

comment on function app.second_factor_at is
  'Returns when the session of the caller last proved a second factor, by the claim amr of the token; null if never.';

-- Precondition: the caller runs with owner rights.
create or replace function app.has_second_factor()
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_removed_at timestamptz;
begin
  if auth.jwt() ->> 'aal' is distinct from 'aal2' then
    return false;
  end if;
  select a.factors_removed_at into v_removed_at from app.administrators as a where a.auth_id = auth.uid();
  return v_removed_at is null or coalesce(app.second_factor_at() > v_removed_at, false);
end
$$;

comment on function app.has_second_factor is
  'Returns whether the calling administrator has proved a second factor in this session, which was not removed since.';

-- Precondition: the caller runs with owner rights.
create or replace function app.require_second_factor()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not app.has_second_factor() then
    perform app.fail('second_factor_required');
  end if;
end
$$;

comment on function app.require_second_factor is
  'Raises second_factor_required unless app.has_second_factor, whatever the settings say.';

-- Who can give roles can do everything, so administrators need the second factor as soon as any area needs it.
-- Precondition: the caller runs with owner rights.
create or replace function app.lacks_second_factor(p_area text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from app.settings as s
    where p_area = any (s.second_factor_areas) or (p_area = 'administrators' and s.second_factor_areas <> '{}')
  ) and not app.has_second_factor();
end
$$;

comment on function app.lacks_second_factor is
  'Returns whether the settings require a second factor for an area, and the caller has not proved one in this '
  'session.';

-- Precondition: the caller runs with owner rights, because client roles cannot read auth.sessions.
create or replace function app.has_signed_in_lately()
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(app.second_factor_at() >= l.since, false) or exists (
    select from auth.sessions as s
    where s.user_id = auth.uid() and s.id::text = auth.jwt() ->> 'session_id' and s.created_at >= l.since
  )
  from (select clock_timestamp() - interval '15 minutes' as since) as l
$$;

comment on function app.has_signed_in_lately is
  'Returns whether the session of the caller began, or proved a second factor, in the last 15 minutes.';

create or replace function app.require_recent_sign_in()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not app.has_signed_in_lately() then
    perform app.fail('recent_sign_in_needed');
  end if;
end
$$;

comment on function app.require_recent_sign_in is
  'Raises recent_sign_in_needed unless app.has_signed_in_lately. docs/access.md lists the actions.';

create or replace function app.has_factor(p_auth_id uuid)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from auth.mfa_factors as f where f.user_id = p_auth_id and f.status = 'verified')
$$;

comment on function app.has_factor is 'Returns whether an account has a second factor that works.';

-- Precondition: the caller holds the lock of the account.
-- Idempotent: what is removed is gone.
create or replace function app.drop_factors(p_auth_id uuid)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_had_one boolean := app.has_factor(p_auth_id);
begin
  delete from app.factor_removals as r where r.auth_id = p_auth_id;
  delete from auth.mfa_factors as f where f.user_id = p_auth_id;
  if v_had_one then
    delete from auth.sessions as s where s.user_id = p_auth_id;
    update app.administrators as a set factors_removed_at = clock_timestamp() where a.auth_id = p_auth_id;
  end if;
  return v_had_one;
end
$$;

comment on function app.drop_factors is
  'Removes all second factors of an account, ends its sessions and returns whether it had one.';

-- Locks: the account.
-- Idempotent: an account without a second factor is left as it is.
create or replace function app.remove_factors(p_account text)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid := app.find_account(p_account);
  v_had_one boolean := app.drop_factors(v_auth_id);
begin
  perform app.record_action(
    'remove_factors', 'administrator', v_auth_id::text, '{"second_factor": true}'::jsonb,
    '{"second_factor": false}'::jsonb
  ) where v_had_one;
  return v_had_one;
end
$$;

comment on function app.remove_factors is
  'Removes all second factors of the account with this email address or id (app.drop_factors). For the owner of the '
  'database.';

create or replace function app.is_open_removal(p_removal app.factor_removals)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_removal.asked_at > clock_timestamp() - interval '7 days' and exists (
    select from app.administrators as a join auth.users as u on u.id = a.auth_id
    where a.auth_id = p_removal.asked_by and 'owner' = any (a.roles) and app.is_active_administrator(u)
  )
$$;

comment on function app.is_open_removal is
  'Returns whether the removal of a second factor can be confirmed: who asked, within seven days, is still an active '
  'owner.';
