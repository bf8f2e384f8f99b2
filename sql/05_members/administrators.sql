-- Who the caller is: a member, or an administrator with roles and their areas.

-- Locks: the account.
create or replace function app.find_account(p_account text)
returns uuid
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid;
begin
  -- Auth keeps addresses unique among the accounts that do not come from a single sign-on.
  select u.id into v_auth_id from auth.users as u
  where u.deleted_at is null and (u.id::text = lower(p_account) or lower(u.email) = lower(p_account))
  order by u.is_sso_user, u.created_at, u.id limit 1
  for update;
  if not found then
    perform app.fail('user_not_found', 'There is no account with this email address or id.');
  end if;
  return v_auth_id;
end
$$;

comment on function app.find_account is
  'Locks the Auth account with this email address or id and returns its id. Raises user_not_found.';

create or replace function app.role_areas()
returns table (role text, areas text[])
language sql
immutable
as $$
  values
    (
      'owner',
      '{records, content, orders, refunds, members, money, plan, system, administrators, keys}'::pg_catalog.text[]
    ),
    ('finance', '{records, refunds, money}'),
    ('service', '{records, orders, refunds, members}'),
    ('content', '{content}')
$$;

comment on function app.role_areas is
  'Returns the areas that administrators with each role may read and change (docs/access.md). Each administrative '
  'function that writes names its area.';

-- Has no set clause, so that the planner can inline it: every call of an administrator checks it.
create or replace function app.is_active_administrator(p_account auth.users)
returns boolean
language sql
stable
as $$
  select p_account.role = 'store_admin' and p_account.deleted_at is null
    and coalesce(p_account.banned_until < pg_catalog.now(), true)
$$;

comment on function app.is_active_administrator is
  'Returns whether an account has the role store_admin and is neither deleted nor banned.';

-- Locks: the administrators with the role owner, so that two of them cannot be the last one for each other.
create or replace function app.keep_an_owner(p_auth_id uuid)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.administrators as a where 'owner' = any (a.roles) order by a.auth_id for update;
  if exists (select from app.administrators as a where a.auth_id = p_auth_id and 'owner' = any (a.roles))
    and not exists (
    select from app.administrators as a join auth.users as u on u.id = a.auth_id
    where a.auth_id <> p_auth_id and 'owner' = any (a.roles)
      and app.is_active_administrator(u)
  ) then
    perform app.fail(
      'invalid_argument', 'This account is the last one with the role owner. Give the role to another account first.'
    );
  end if;
end
$$;

comment on function app.keep_an_owner is
  'Raises invalid_argument if the account is the last active owner. Locks the owners. Call it before an account loses '
  'the role.';

create or replace function app.roles_in(p_roles jsonb)
returns text[]
language plpgsql
immutable
strict
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(p_roles) <> 'array'
    or not p_roles <@ (select jsonb_agg(r.role order by r.role) from app.role_areas() as r) or p_roles = '[]' then
    perform app.fail(
      'invalid_argument', 'The roles are owner, finance, service and content. An administrator has at least one.',
      '/roles'
    );
  end if;
  return array(
    select r.role from app.role_areas() with ordinality as r (role, areas, place) where p_roles ? r.role
    order by r.place
  );
end
$$;

comment on function app.roles_in is
  'Returns the roles of a JSON array in the order of app.role_areas; null for null. Raises invalid_argument for other '
  'roles, or none.';

-- Precondition: the caller holds the lock of the account, whose address is confirmed.
-- Locks: an invitation of the address; if an owner loses the role, the administrators with it.
-- Idempotent: an administrator stays one and has the roles given last.
create or replace function app.give_roles(p_auth_id uuid, p_roles text[], p_name text, p_by uuid)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.roles_in(to_jsonb(p_roles));
  -- Otherwise, whoever is removed again could accept it then.
  delete from app.invitations as i using auth.users as u
  where u.id = p_auth_id and i.email = u.email and not u.is_sso_user;
  if not 'owner' = any (p_roles) then
    perform app.keep_an_owner(p_auth_id);
  end if;
  perform app.forget_unproved_password(p_auth_id);
  update auth.users set role = 'store_admin' where id = p_auth_id and role is distinct from 'store_admin';
  insert into app.administrators (auth_id, roles, added_at, added_by, name)
  select p_auth_id, p_roles, clock_timestamp(), p_by,
    coalesce(app.visible_text(left(p_name, 64)), m.nickname, app.visible_text(left(u.email, 64)))
  from auth.users as u left join app.users as m on m.auth_id = u.id
  where u.id = p_auth_id
  on conflict (auth_id) do update set roles = excluded.roles,
    name = coalesce(app.visible_text(left(p_name, 64)), administrators.name);
end
$$;

comment on function app.give_roles is
  'Makes an account an administrator with the given roles only. p_name is by default the earlier name, the nickname or '
  'the address. An unproved password stops working (app.forget_unproved_password), an invitation is used up, and the '
  'last owner stays one.';

create or replace function app.has_strange_phone(p_auth_id uuid)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from app.unproved_passwords as p join auth.users as u on u.id = p.auth_id
    where u.id = p_auth_id and u.phone <> ''
  )
$$;

comment on function app.has_strange_phone is
  'Returns whether the account has a phone number that a stranger may have added with an unproved password.';

-- Locks: the account; if an owner loses the role, also the administrators with it.
-- Idempotent: an administrator stays one and has the roles given last.
create or replace function app.add_administrator(
  p_account text, p_roles text[] default '{owner}', p_name text default null
)
returns uuid
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid := app.find_account(p_account);
  v_was text[] := (select a.roles from app.administrators as a where a.auth_id = v_auth_id);
begin
  if not exists (select from auth.users as u where u.id = v_auth_id and u.email_confirmed_at is not null) then
    perform app.fail(
      'invalid_argument', 'Nobody has confirmed the email address of this account, so anybody may have created it.'
    );
  elsif app.has_strange_phone(v_auth_id) then
    perform app.fail(
      'invalid_argument',
      'The password and the phone number of this account may be those of a stranger. Use another account.'
    );
  end if;
  perform app.give_roles(v_auth_id, p_roles, p_name, auth.uid());
  perform app.record_action(
    'add_administrator', 'administrator', v_auth_id::text,
    case when v_was is not null then jsonb_build_object('roles', v_was) end, jsonb_build_object('roles', p_roles)
  );
  return v_auth_id;
end
$$;

comment on function app.add_administrator is
  'Makes the account with this confirmed email address or id an administrator (app.give_roles) and returns its id. '
  'Whoever is signed in must sign in again. For the owner of the database.';

-- Comes first in the lock order, before the structure, so that the decisions of one administrator follow each other.
-- There is one row for all days: a transaction that goes on after midnight would lock a second one, behind everything
-- else that it holds.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_decided_alone(p_kind text, p_by uuid, p_now timestamptz)
returns app.decided_alone
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sum app.decided_alone;
begin
  insert into app.decided_alone as d (auth_id, kind, day) values (p_by, p_kind, app.business_day(p_now))
  on conflict (auth_id, kind) do update
  set day = greatest(d.day, excluded.day),
    money = case when d.day < excluded.day then 0 else d.money end,
    points = case when d.day < excluded.day then 0 else d.points end
  returning d.* into v_sum;
  return v_sum;
end
$$;

comment on function app.lock_decided_alone is
  'Locks and returns the sum that an administrator has decided alone on the business day of p_now, by the kind of '
  'app.decided_alone.';

-- Precondition: the caller runs with owner rights, because client roles cannot read auth.users.
create or replace function app.other_administrator(p_area text, p_but uuid, p_uid bigint)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select
    from app.administrators as a
    join auth.users as u on u.id = a.auth_id
    join app.role_areas() as r on r.role = any (a.roles)
    where a.auth_id is distinct from p_but and p_area = any (r.areas)
      and app.is_active_administrator(u)
      and not exists (select from app.users as m where m.uid = p_uid and m.auth_id = a.auth_id)
  )
$$;

comment on function app.other_administrator is
  'Returns whether an active administrator other than p_but may act in an area on the member p_uid.';

create or replace function app.limit_of_day(p_kind text)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case p_kind
    when 'adjustment' then s.adjustment_limit_money
    when 'offline_payment' then s.offline_payment_limit
    when 'withdrawal' then s.withdrawal_limit
  end
  from app.settings as s
$$;

comment on function app.limit_of_day is
  'Returns how much money one administrator may decide alone in a day, by the kind of app.decided_alone. Money, 2 '
  'decimals.';

create or replace function app.left_to_decide(p_kind text, p_by uuid, p_now timestamptz)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.limit_of_day(p_kind) - coalesce((
    select d.money from app.decided_alone as d
    where d.auth_id = p_by and d.kind = p_kind and d.day >= app.business_day(p_now)
  ), 0)
$$;

comment on function app.left_to_decide is
  'Returns how much money an administrator may still decide alone on the business day of p_now (app.decide_alone). '
  'Negative if the limit was lowered since. Money, 2 decimals.';

-- Precondition: called before the transaction locks anything else, or after app.lock_decided_alone for the same kind.
-- Locks: the sum of the administrator.
-- Not idempotent: each call adds to the sum. The caller has found that the decision is still to be made.
create or replace function app.decide_alone(
  p_kind text, p_money numeric, p_points numeric, p_by uuid, p_uid bigint, p_now timestamptz
)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_settings app.settings;
  v_sum app.decided_alone;
  v_money numeric := coalesce(abs(p_money), 0);
  v_points numeric := coalesce(abs(p_points), 0);
  v_limit numeric;
begin
  if p_by is null then
    return true;
  end if;
  v_sum := app.lock_decided_alone(p_kind, p_by, app.effect_time(p_now));
  select s.* into v_settings from app.settings as s;
  v_limit := app.limit_of_day(p_kind);
  if v_sum.points + v_points <= v_settings.adjustment_limit_points and v_sum.money + v_money <= v_limit then
    update app.decided_alone as d
    set money = d.money + v_money, points = d.points + v_points, limit_money = v_limit,
      limit_points = v_settings.adjustment_limit_points
    where (d.auth_id, d.kind) = (v_sum.auth_id, v_sum.kind);
    return true;
  elsif not app.other_administrator('money', p_by, p_uid) then
    perform app.fail(
      'second_administrator_needed',
      'Above the limit of a day, a second administrator with the role owner or finance must approve. There is none.'
    );
  end if;
  return false;
end
$$;

comment on function app.decide_alone is
  'Returns whether the administrator p_by may decide alone about an amount of the member p_uid, and adds it to their '
  'sum of the business day. Null as p_by has no limit. Raises second_administrator_needed if nobody else may decide.';

-- Security definer: client roles cannot read auth.users.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.require_admin(p_area text default 'records')
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_may boolean;
begin
  if app.is_key() then
    perform app.require_key();
    return;
  end if;
  select p_area is null
    or exists (select from app.role_areas() as r where r.role = any (a.roles) and p_area = any (r.areas))
  into v_may
  from app.administrators as a join auth.users as u on u.id = a.auth_id
  where a.auth_id = auth.uid() and app.is_active_administrator(u);
  if v_may is null then
    perform app.fail('forbidden', 'This account is not an administrator.');
  elsif not v_may then
    perform app.fail(
      'forbidden', 'The roles of this account do not allow this. An administrator with the role owner can do it.'
    );
  elsif p_area is not null and app.lacks_second_factor(p_area) then
    perform app.fail('second_factor_required');
  end if;
  -- For app.store_response.
  perform set_config(
    'store.required_areas', concat_ws(' ', nullif(current_setting('store.required_areas', true), ''), p_area), true
  )
  where p_area is not null;
end
$$;

comment on function app.require_admin is
  'Raises forbidden unless the caller is an administrator with a role that allows the area (app.role_areas); null: any '
  'role. Raises second_factor_required if the area needs one that the session lacks. For a machine key, '
  'app.require_key decides.';

grant execute on function app.require_admin(text) to store_admin;

create or replace function app.may_change(p_area text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(p_area);
  return true;
exception when sqlstate 'PT403' then
  return false;
end
$$;

comment on function app.may_change is 'Returns whether app.require_admin admits the calling administrator to an area.';

grant execute on function app.may_change(text) to store_admin;

-- Locks: the account and the administrators with the role owner.
-- Idempotent: an account that is no administrator is left as it is.
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
    perform app.record_action(
      'remove_administrator', 'administrator', v_auth_id::text, jsonb_build_object('roles', v_was), null
    );
  end if;
end
$$;

comment on function app.remove_administrator is
  'Removes an account from the administrators; it stays a member, or becomes one. Raises invalid_argument for the last '
  'owner. For the owner of the database.';

-- Policies call it as (select app.current_uid()), so that it runs once per statement.
-- Security definer: policies on app.users call it, so it must read app.users without them, and client roles cannot read
-- auth.users. PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.current_uid()
returns bigint
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
  v_is_banned boolean;
begin
  select u.uid, a.banned_until >= now() into v_uid, v_is_banned
  from app.users as u left join auth.users as a on a.id = u.auth_id where u.auth_id = auth.uid();
  if v_is_banned then
    perform app.fail('forbidden', 'This account is blocked. Ask the store.');
  end if;
  return v_uid;
end
$$;

comment on function app.current_uid is
  'Returns the uid of the calling member, or null if the caller is none. Raises forbidden while the account is banned.';

grant execute on function app.current_uid() to authenticated, store_admin;

create or replace function app.require_uid()
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.current_uid();
begin
  if v_uid is null then
    perform app.fail('unauthenticated', 'This account is not a member of the store.');
  end if;
  return v_uid;
end
$$;

comment on function app.require_uid is
  'Returns the uid of the calling member. Raises unauthenticated if the caller is none.';

grant execute on function app.require_uid() to authenticated, store_admin;

create or replace function app.reject_leaving(p_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from app.account_deletions as d where d.uid = p_uid and d.done_at is null) then
    perform app.fail(
      'account_leaving', 'You have asked for the deletion of this account. Keep the account first, under "My account".'
    );
  end if;
end
$$;

comment on function app.reject_leaving is
  'Raises account_leaving for a member who has asked for the deletion of their account. The caller holds a lock that '
  'app.request_deletion takes, too.';

create or replace function app.actor_json(p_auth_id uuid)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('auth_id', p_auth_id, 'uid', u.uid, 'nickname', coalesce(d.name, u.nickname))
  from (select p_auth_id as id where p_auth_id is not null) as a
  left join app.users as u on u.auth_id = a.id
  left join app.administrators as d on d.auth_id = a.id
$$;

comment on function app.actor_json is
  'Returns who made a change, {auth_id, uid, nickname}, or null for the store itself. The name of an administrator '
  'comes before the nickname.';

grant execute on function app.actor_json(uuid) to store_admin;

create or replace function app.reject_own_member(p_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from app.users as u where u.uid = p_uid and u.auth_id = auth.uid()) then
    perform app.fail(
      'own_account',
      'An administrator cannot do this to their own member account or its orders; another administrator can.'
    );
  end if;
end
$$;

comment on function app.reject_own_member is
  'Raises own_account if the member belongs to the account of the calling administrator.';

-- Row-level security: members read their own rows, administrators read all rows.
create policy members_read_themselves on app.users for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_users on app.users for select to store_admin, service_role using (true);

create policy members_read_their_balances on app.user_balances for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_balances on app.user_balances for select to store_admin, service_role using (true);

create policy members_read_their_events on app.events for select to authenticated
  using (uid = (select app.current_uid()));

create policy members_read_their_requests on app.person_requests for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_requests on app.person_requests for select to store_admin, service_role using (true);
