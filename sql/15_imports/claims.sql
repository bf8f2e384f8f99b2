-- Accounts of the Auth server become members: new ones, or imported ones that they claim.

create or replace function app.imported_member_of(p_auth_id uuid, p_phone text, out uid bigint, out claimed_by text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select m.uid, c.claimed_by
  from (
    select i.uid, 'openid' as claimed_by, 1 as rank
    from app.wechat_accounts as w
    join app.imported_openids as i on i.openid = w.openid and coalesce(i.appid, w.appid) = w.appid
    where w.auth_id = p_auth_id
    union all
    select i.uid, 'unionid', 2 from app.wechat_accounts as w join app.imported_members as i on i.unionid = w.unionid
    where w.auth_id = p_auth_id
    union all
    select i.uid, 'phone', 3 from app.imported_members as i where i.phone = p_phone
  ) as c
  join app.imported_members as m on m.uid = c.uid and m.claimed_at is null
  order by c.rank
  limit 1
$$;

comment on function app.imported_member_of is
  'Returns the unclaimed imported member who belongs to an account, and how they were found: by ids that WeChat has '
  'verified, or a phone number that Auth or WeChat has verified.';

-- Locks: see give_imported_member.
-- Idempotent: a member who is claimed is not claimed again.
create or replace function app.claim_member(p_auth_id uuid, p_phone text)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_found record;
begin
  select f.uid, f.claimed_by into v_found from app.imported_member_of(p_auth_id, p_phone) as f;
  if v_found.uid is null or not app.give_imported_member(v_found.uid, p_auth_id, v_found.claimed_by, p_phone) then
    return null;
  end if;
  return v_found.uid;
end
$$;

comment on function app.claim_member is
  'Gives an imported member to the account that belongs to them (app.imported_member_of) and returns the uid. Null if '
  'there is none, or the account''s own member is in use. p_phone is verified, or null.';

-- Every sign-in tries again, because the member may have been imported, or WeChat may have named the unionid, after the
-- first one. A claim that fails never prevents a sign-in. An account whose password may be that of a stranger claims
-- only when its phone number is verified: then the claim ends the sessions of that password, but the one that begins
-- here is not yet known by its method.
-- Security definer: the role of the Auth server has no rights on schema app.
create or replace function app.claim_at_sign_in()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if old.phone_confirmed_at is not distinct from new.phone_confirmed_at and old.phone is not distinct from new.phone
    and exists (select from app.unproved_passwords as p where p.auth_id = new.id and not p.is_proved)
  then
    return new;
  end if;
  begin
    perform app.claim_member(new.id, case when new.phone_confirmed_at is not null then new.phone end);
  exception when others then
    raise warning 'account % claimed no imported member: %', new.id, sqlerrm;
  end;
  return new;
end
$$;

comment on function app.claim_at_sign_in is
  'Trigger: gives an imported member to an account that signs in, or whose phone number Auth has just verified.';

create trigger sign_ins_claim_imported_members after update of phone, phone_confirmed_at, last_sign_in_at on auth.users
  for each row when (
    new.deleted_at is null and (
      new.last_sign_in_at is distinct from old.last_sign_in_at
      or (
        new.phone_confirmed_at is not null and (old.phone_confirmed_at is null or old.phone is distinct from new.phone)
      )
    )
  )
  execute function app.claim_at_sign_in();

-- Reads the table: the first row of a member is no release, so it stands there.
create or replace function app.use_of_member(p_uid bigint)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when exists (select from app.orders as o where o.uid = p_uid) then 'has orders'
    when exists (select from app.users as u where u.spread_uid = p_uid) then 'has referred other members'
    when exists (select from app.user_bill as b where b.uid = p_uid) then 'has a bill'
    when exists (select from app.imported_members as i where i.uid = p_uid) then 'is an imported member'
    when exists (
      select from app.level_changes as l where l.uid = p_uid
    ) then 'has a level that an administrator has set'
    when exists (select from app.adjustments as a where a.uid = p_uid) then 'has an adjustment of balances'
    when exists (
      select from app.no_assess_changes as n where n.uid = p_uid
    ) then 'has a no-assess flag that an administrator has set'
    when exists (
      select from app.spread_changes as c where p_uid in (c.uid, c.from_uid)
    ) then 'has a referrer that an administrator has corrected, or was one'
    when exists (
      select from app.tax_allowances as t where t.uid = p_uid
    ) then 'has an allowance of tax that an administrator has recorded'
  end
$$;

comment on function app.use_of_member is
  'Returns why a member cannot be replaced by an imported one, or null if nothing depends on the member.';

-- Security definer: client roles cannot read which members were imported.
create or replace function app.idle_administrators()
returns bigint[]
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  -- Row order: a set.
  select coalesce(array_agg(u.uid), '{}')
  from app.administrators as a join app.users as u on u.auth_id = a.auth_id
  where u.spread_uid is null and app.use_of_member(u.uid) is null
$$;

comment on function app.idle_administrators is
  'Returns the members of administrators who have no referrer and on whom nothing depends (app.use_of_member). They '
  'are not listed among members.';

grant execute on function app.idle_administrators() to store_admin;

-- For people who cannot prove who they are by a phone number or an openid. The administrator must be sure of that.
-- Locks: see give_imported_member.
-- Idempotent: a second call says that the member is claimed.
create or replace function app.claim_for(p_uid bigint, p_old_uid bigint)
returns text
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member app.users := (select u from app.users as u where u.uid = p_uid);
  v_imported app.imported_members := (select i from app.imported_members as i where i.old_uid = p_old_uid);
  v_use text := app.use_of_member(p_uid);
begin
  if v_member.auth_id is null then
    return format('No account has the member %s of this store.', p_uid);
  elsif v_imported.uid is null then
    return format('No member with the number %s was imported.', p_old_uid);
  elsif v_imported.claimed_at is not null then
    return format('The imported member %s was claimed at %s.', p_old_uid, app.utc(v_imported.claimed_at));
  elsif v_use is not null then
    return format('The member %s %s. Members are never merged.', p_uid, v_use);
  elsif not app.give_imported_member(v_imported.uid, v_member.auth_id, 'administrator', null) then
    return format('The member %s or the imported member %s has just changed. Repeat the command.', p_uid, p_old_uid);
  end if;
  return null;
end
$$;

comment on function app.claim_for is
  'Gives the imported member who had the number p_old_uid to the account of member p_uid, and returns null, or why '
  'that is not possible. npm run import -- --claim calls it.';

create or replace function app.import_claims()
returns table (file text, line integer, uid text, name text, value text, id text, members bigint, owner bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with ids as (
    select 'members' as file, s.line, s.uid, t.name, t.value, t.id
    from app.staged_members as s
    cross join lateral (
      values ('phone', s.phone, app.import_phone(s.phone)), ('unionid', s.unionid, s.unionid)
    ) as t (name, value, id)
    where t.id is not null and coalesce(s.is_claimable::boolean, true)
    union all
    select 'openids', o.line, o.uid, 'openid', o.openid, o.openid
    from app.staged_openids as o
    where not exists (
      select from app.staged_members as s where s.uid = o.uid and not coalesce(s.is_claimable::boolean, true)
    )
  ),
  counted as (
    select i.*, n.members
    from ids as i
    join (
      select d.name, d.id, count(distinct d.uid) as members from ids as d group by d.name, d.id
    ) as n on n.name = i.name
      and n.id = i.id
  ),
  taken as (
    select m.old_uid, 'phone' as name, m.phone as id from app.imported_members as m where m.phone is not null
    union all
    select m.old_uid, 'unionid', m.unionid from app.imported_members as m where m.unionid is not null
    union all
    select m.old_uid, 'openid', w.openid from app.imported_openids as w join app.imported_members as m on m.uid = w.uid
  )
  select c.file, c.line, c.uid, c.name, c.value, c.id, c.members, t.old_uid
  from counted as c
  left join taken as t on t.name = c.name and t.id = c.id
$$;

comment on function app.import_claims is
  'Returns the phone numbers, unionids and openids by which staged members are to be claimed. members: how many '
  'members of the files have it. owner: the old uid of the member who was imported with it before. An id of one member '
  'without owner is stored.';

-- Security definer: the role of the Auth server has no rights on schema app.
-- An account that the Auth server marks as deleted gets a meaningless phone in the same update. It is not copied.
create or replace function app.copy_auth_phone()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.users set phone = case when new.phone_confirmed_at is not null then nullif(left(new.phone, 32), '') end
  where auth_id = new.id;
  return new;
end
$$;

comment on function app.copy_auth_phone is
  'Trigger: copies a changed phone number of an Auth account to its member, once it is confirmed.';

create trigger members_have_the_phone_of_their_account after update of phone, phone_confirmed_at on auth.users
  for each row when (
    (old.phone is distinct from new.phone or (old.phone_confirmed_at is null) <> (new.phone_confirmed_at is null))
      and new.deleted_at is null
  )
  execute function app.copy_auth_phone();

-- Security definer: the role of the Auth server has no rights on schema app.
create or replace function app.handle_new_auth_user()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_spread text := trim(new.raw_user_meta_data ->> 'spread');
  -- Cleaned again after the cut, which may leave only blanks.
  v_nickname text := app.visible_text(left(app.visible_text(new.raw_user_meta_data ->> 'nickname'), 64));
  v_avatar text := trim(new.raw_user_meta_data ->> 'avatar');
  v_phone text := case when new.phone_confirmed_at is not null then nullif(left(new.phone, 32), '') end;
  v_spread_uid bigint;
  v_uid bigint;
begin
  -- The address is proved by a link, unless the project asks for none (app.is_new_account).
  if tg_op = 'UPDATE' and old.email_confirmed_at is null and new.email_confirmed_at is not null
    and not app.is_new_account(new.id) then
    perform app.accept_invitation(new.id, clock_timestamp());
  end if;
  -- An administrator who was created as one (scripts/administrators), or has just become one.
  if exists (select from auth.users as u where u.id = new.id and u.role = 'store_admin')
    or app.claim_member(new.id, v_phone) is not null then
    return new;
  end if;
  if v_spread ~ '^[0-9]{1,18}$' then
    -- With the lock, nobody joins below a member who is leaving.
    select u.uid into v_spread_uid from app.users as u where u.uid = v_spread::bigint and u.left_at is null for share;
  end if;
  if app.has_refused_word(v_nickname) then
    v_nickname := null;
  end if;
  insert into app.users (auth_id, nickname, phone, spread_uid, spread_time, avatar)
  values (
    new.id,
    coalesce(v_nickname, (select a.name from app.administrators as a where a.auth_id = new.id), app.neutral_nickname()),
    v_phone,
    v_spread_uid, case when v_spread_uid is not null then now() end,
    app.shown_avatar(v_avatar)
  )
  on conflict (auth_id) do nothing
  returning uid into v_uid;
  insert into app.user_balances (uid) select v_uid where v_uid is not null;
  perform app.queue_text_check('nickname', v_uid, v_uid, v_nickname, now()) where v_uid is not null;
  if v_uid is not null and v_spread_uid is not null then
    perform app.write_event('member.referred', v_uid, v_spread_uid, '{}', now(), 'member');
  end if;
  return new;
end
$$;

comment on function app.handle_new_auth_user is
  'Trigger: creates the member of an Auth account once its email address or phone number is confirmed. The referrer is '
  'that of the share link, unless they have left. Unusable metadata is ignored and never blocks the sign-up. An '
  'account that belongs to an imported member gets that member instead. The account of an administrator gets none '
  'until it is no longer one.';

create trigger every_account_becomes_a_member after insert on auth.users
  for each row
    when (
      new.email_confirmed_at is not null or new.phone_confirmed_at is not null
    ) execute function app.handle_new_auth_user();
create trigger accounts_become_members_when_confirmed after update of email_confirmed_at,
  phone_confirmed_at on auth.users
  for each row when (
    old.email_confirmed_at is null and old.phone_confirmed_at is null
    and (new.email_confirmed_at is not null or new.phone_confirmed_at is not null) and new.deleted_at is null
  )
  execute function app.handle_new_auth_user();
create trigger accounts_become_members_when_demoted after update of role on auth.users
  for each row when (
    old.role = 'store_admin' and new.role is distinct from 'store_admin'
    and (new.email_confirmed_at is not null or new.phone_confirmed_at is not null) and new.deleted_at is null
  )
  execute function app.handle_new_auth_user();
