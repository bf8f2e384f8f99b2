-- Passwords that nobody has proved to be the owner's, and accounts that nobody confirms.

create or replace function app.is_new_account(p_auth_id uuid)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(current_setting('store.new_account', true), '') = p_auth_id::text
$$;

comment on function app.is_new_account is 'Returns whether the present transaction has created the account.';

-- Until an address is confirmed, anybody may have signed up with it. The Auth server keeps the password and the
-- metadata of the first of them, whoever asks for the mail that is confirmed. If only one mail was sent, it belongs to
-- that sign-up.
-- Security definer: the role of the Auth server has no rights on schema app.
-- Idempotent: what is forgotten is gone.
create or replace function app.forget_first_sign_up()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if new.email_confirmed_at is null and new.phone_confirmed_at is null then
    if old.confirmation_sent_at is null or new.confirmation_sent_at is null
      or old.confirmation_sent_at = new.confirmation_sent_at then
      return new;
    end if;
  elsif new.confirmation_sent_at is not null and new.recovery_sent_at is null
    or new.invited_at is not null or app.is_new_account(new.id)
  then
    return new;
  end if;
  new.encrypted_password := null;
  new.raw_user_meta_data := '{}';
  return new;
end
$$;

comment on function app.forget_first_sign_up is
  'Trigger: removes password and metadata of an unconfirmed sign-up if another mail is requested, or if the address is '
  'confirmed otherwise than by its mail.';

create trigger unconfirmed_sign_ups_count_once before update of confirmation_sent_at, email_confirmed_at,
  phone_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and old.phone_confirmed_at is null and new.deleted_at is null)
  execute function app.forget_first_sign_up();

-- Locks: the account.
-- Idempotent: a password that is forgotten is no longer unproved.
create or replace function app.forget_unproved_password(p_auth_id uuid)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_since timestamptz;
begin
  delete from app.unproved_passwords where auth_id = p_auth_id and not is_proved returning address_since into v_since;
  if not found then
    return false;
  end if;
  if (select u.recovery_sent_at <= v_since from auth.users as u where u.id = p_auth_id) then
    delete from auth.one_time_tokens where user_id = p_auth_id and token_type = 'recovery_token';
    update auth.users set recovery_token = '' where id = p_auth_id;
  end if;
  update auth.users set encrypted_password = null where id = p_auth_id;
  delete from auth.mfa_factors as f where f.user_id = p_auth_id;
  delete from auth.sessions as s
  where s.user_id = p_auth_id and (
    s.created_at <= v_since
    or exists (select from auth.mfa_amr_claims as c where c.session_id = s.id and c.authentication_method = 'password')
  );
  return true;
end
$$;

comment on function app.forget_unproved_password is
  'Removes a password that may be that of a stranger (app.unproved_passwords), with second factors, sessions and '
  'links, and returns whether it did. Call it before the account gets a role or an imported member.';

-- Security definer: the role of the Auth server has no rights on schema app.
-- Idempotent: a note that exists is left as it is.
create or replace function app.note_unproved_password()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    perform set_config('store.new_account', new.id::text, true);
  elsif not app.is_new_account(new.id) then
    insert into app.unproved_passwords (auth_id) values (new.id) on conflict do nothing;
  end if;
  return new;
end
$$;

comment on function app.note_unproved_password is
  'Trigger: notes that a password was chosen before its account was confirmed (app.unproved_passwords), unless one '
  'transaction did both.';

create trigger a_new_account_is_noted after insert on auth.users
  for each row
    when (
      new.email_confirmed_at is null and new.phone_confirmed_at is null
    ) execute function app.note_unproved_password();
-- Before accounts_become_members_when_confirmed, by its name: a claim forgets what is noted here.
create trigger a_first_password_is_unproved after update of email_confirmed_at, phone_confirmed_at on auth.users
  for each row when (
    old.email_confirmed_at is null and old.phone_confirmed_at is null
    and (new.email_confirmed_at is not null or new.phone_confirmed_at is not null) and new.encrypted_password <> ''
    and new.deleted_at is null
  )
  execute function app.note_unproved_password();

-- Security definer: the role of the Auth server has no rights on schema app.
-- Idempotent: an account has one note, that of the last change.
create or replace function app.note_changed_address()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.unproved_passwords (auth_id, address_since) values (new.id, clock_timestamp())
  on conflict (auth_id) do update set address_since = excluded.address_since, is_proved = false;
  return null;
end
$$;

comment on function app.note_changed_address is
  'Trigger: notes that an account has another address now (app.unproved_passwords).';

create trigger an_address_is_unproved_when_it_changes after update of email on auth.users
  for each row when (
    new.deleted_at is null and new.email <> '' and old.email is distinct from new.email
    and (old.email_confirmed_at is not null or old.phone_confirmed_at is not null)
  )
  execute function app.note_changed_address();

-- At the end of the transaction: the Auth server first stores the password, then ends all sessions but the one in which
-- the password was set. If none remains, nothing tells how that session began: it was ended meanwhile, or there was
-- none because the secret key was used. The method "otp" is a code by phone, too, and another phone may have been added
-- by a stranger. Whether a link was sent to the present address shows only the time of the last one.
-- Security definer: the role of the Auth server has no rights on schema app.
-- Idempotent: a proved password stays proved, and an accepted invitation is gone.
create or replace function app.prove_password()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_address_since timestamptz := coalesce(
    (select p.address_since from app.unproved_passwords as p where p.auth_id = new.id), '-infinity'
  );
  v_is_by_link boolean;
  v_since timestamptz;
begin
  select min(s.created_at), bool_and(
    (
      v_address_since = '-infinity'
        or (s.created_at > v_address_since and coalesce(new.recovery_sent_at > v_address_since, false))
    )
    and exists (
      select from auth.mfa_amr_claims as c
      where c.session_id = s.id and (
        c.authentication_method in ('recovery', 'magiclink', 'invite', 'email/signup')
        or (c.authentication_method = 'otp' and new.phone_confirmed_at is null)
      )
    )
  ) into v_since, v_is_by_link
  from auth.sessions as s where s.user_id = new.id;
  if v_is_by_link then
    delete from app.unproved_passwords as p where p.auth_id = new.id and coalesce(new.phone, '') = '';
    update app.unproved_passwords as p set is_proved = true, address_since = '-infinity' where p.auth_id = new.id;
    perform app.accept_invitation(new.id, v_since);
  end if;
  return null;
end
$$;

comment on function app.prove_password is
  'Trigger: a password that is set by a link to the present email address is proved (app.unproved_passwords), and '
  'accepts an earlier invitation.';

create constraint trigger passwords_are_proved_by_a_link after update of encrypted_password on auth.users
  deferrable initially deferred
  for each row when (
    new.deleted_at is null and old.email_confirmed_at is not null
    and old.encrypted_password is distinct from new.encrypted_password and old.email is not distinct from new.email
  )
  execute function app.prove_password();

-- Locks: the accounts. One that is just being confirmed is left out. Then the invitations that expired long ago.
-- Idempotent: what is deleted is gone.
create or replace function app.purge_unconfirmed_accounts(p_now timestamptz default null)
returns integer
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with due as (
    select u.id from app.trusted_time(p_now) as t (now)
    join auth.users as u on u.created_at < t.now - interval '7 days'
      and greatest(u.confirmation_sent_at, u.recovery_sent_at, u.invited_at, u.created_at) < t.now - interval '7 days'
    where u.email_confirmed_at is null and u.phone_confirmed_at is null and u.last_sign_in_at is null
      and not exists (select from app.users as m where m.auth_id = u.id)
    order by u.created_at, u.id
    limit 500
    for update of u skip locked
  ), purged as (
    delete from auth.users as u using due where u.id = due.id returning u.id
  ), lapsed as (
    delete from app.invitations as i using app.trusted_time(p_now) as t (now)
    where i.invited_at < t.now - interval '30 days'
  )
  select count(*)::integer from purged
$$;

comment on function app.purge_unconfirmed_accounts is
  'Deletes up to 500 accounts that nobody has confirmed within seven days after their last mail, and returns how many. '
  'Also deletes invitations after 30 days.';
