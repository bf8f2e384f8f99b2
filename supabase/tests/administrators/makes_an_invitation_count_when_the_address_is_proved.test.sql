-- Guarantee access/invitations: An invitation gives a role only to who has opened a link to the invited address
-- By: app.accept_invitation
begin;
\ir ../support/fixture.psql
\ir ../support/accounts.psql
grant store_api to postgres;
select plan(32);

delete from app.administrators;
create temporary table owner as select pg_temp.administrator() as id;
create function pg_temp.invite(p_email text, p_roles text default '["service"]') returns text language sql as $$
  select pg_temp.call_proved(
    (select id from owner), 'invite_administrator',
    jsonb_build_object('p_email', p_email, 'p_roles', p_roles::jsonb, 'p_name', 'Wang Fang')
  )
$$;
-- As hosted Auth does for an invitation: the account is committed before its mail is opened.
create function pg_temp.mail(p_email text) returns uuid language plpgsql as $$
declare
  v_id uuid := (select u.id from auth.users as u where u.email = p_email);
begin
  if v_id is null then
    v_id := gen_random_uuid();
    insert into auth.users (id, email) values (v_id, p_email);
  end if;
  update auth.users set confirmation_sent_at = clock_timestamp(), invited_at = clock_timestamp(),
    confirmation_token = 'invited-' || v_id
  where id = v_id;
  perform set_config('store.new_account', '', true);
  return v_id;
end
$$;
create function pg_temp.is_owner_or(p_id uuid) returns text language sql as $$
  select array_to_string(a.roles, ' ') from app.administrators as a where a.auth_id = p_id
$$;

-- Somebody new.
select matches(pg_temp.invite('Wang@example.com'), '"state": "invited"', 'an owner invites an address');
create temporary table wang as select pg_temp.mail('wang@example.com') as id;
select is(
  (select u.role::text from auth.users as u, wang where u.id = wang.id), 'authenticated',
  'the invitation alone gives no role'
);
select is_empty('select from app.administrators as a, wang where a.auth_id = wang.id', 'nor does its mail');
update auth.users set email_confirmed_at = now() where id = (select id from wang);
select is(pg_temp.is_owner_or(id), 'service', 'the link of the mail does') from wang;
select is(
  (select u.role::text from auth.users as u, wang where u.id = wang.id), 'store_admin',
  'so the next token is that of an administrator'
);
select is_empty('select from app.users as u, wang where u.auth_id = wang.id', 'who is no member');
select is_empty('select from app.invitations', 'and the invitation is used up');
select results_eq(
  $$ select c.function, c.actor, c.to_value from app.admin_actions as c, wang where c.target_id = wang.id::text $$,
  $$ select 'accept_invitation', wang.id, '{"roles": ["service"]}'::jsonb from wang $$, 'the account itself is recorded'
);
select is(app.actor_json(id) ->> 'nickname', 'Wang Fang', 'under the name of the invitation') from wang;

-- A stranger has signed up with the address before.
create temporary table li as select pg_temp.account('li@example.com', '{"nickname": "Stranger"}') as id;
select lives_ok(
  $$ select pg_temp.invite('li@example.com') $$, 'an address can be invited with which somebody has signed up'
);
select pg_temp.mail('li@example.com');
update auth.users set email_confirmed_at = now() where id = (select id from li);
select is(pg_temp.is_owner_or(id), 'service', 'its owner gets the role') from li;
select is(
  (select u.encrypted_password::text from auth.users as u, li where u.id = li.id), null,
  'and the password of the stranger opens nothing'
);

-- The project asks for no confirmation.
select lives_ok($$ select pg_temp.invite('zhao@example.com') $$, 'an owner invites another address');
insert into auth.users (id, email, encrypted_password, email_confirmed_at) values (
  '00000000-0000-4000-8000-0000000000a1', 'zhao@example.com', 'x', null
);
update auth.users set email_confirmed_at = now() where email = 'zhao@example.com';
select is(
  pg_temp.is_owner_or('00000000-0000-4000-8000-0000000000a1'), null,
  'an account that was confirmed when it was created has proved nothing'
);
select set_config('store.new_account', '', true);

-- An account that exists proves its address again, by a password that it sets in the session of a link.
select pg_temp.open_session('00000000-0000-4000-8000-0000000000a1', 'password');
update auth.users set encrypted_password = 'by the old one' where email = 'zhao@example.com';
set constraints all immediate;
set constraints all deferred;
select is(
  pg_temp.is_owner_or('00000000-0000-4000-8000-0000000000a1'), null,
  'a password that was set without a link accepts nothing'
);
delete from auth.sessions where user_id = '00000000-0000-4000-8000-0000000000a1';
select pg_temp.open_session('00000000-0000-4000-8000-0000000000a1', 'otp');
select lives_ok(
  $$ select pg_temp.invite('zhao@example.com', '["finance"]') $$, 'a repeated invitation replaces the first'
);
update auth.users set encrypted_password = 'by an older link' where email = 'zhao@example.com';
set constraints all immediate;
set constraints all deferred;
select is(
  pg_temp.is_owner_or('00000000-0000-4000-8000-0000000000a1'), null, 'nor does one of a link from before the invitation'
);
delete from auth.sessions where user_id = '00000000-0000-4000-8000-0000000000a1';
select pg_temp.open_session('00000000-0000-4000-8000-0000000000a1', 'otp');
update auth.users set encrypted_password = 'by a link' where email = 'zhao@example.com';
set constraints all immediate;
set constraints all deferred;
select is(
  pg_temp.is_owner_or('00000000-0000-4000-8000-0000000000a1'), 'finance',
  'one that was set in the session of a later link does'
);

-- Too late, or of somebody who may no longer invite.
select lives_ok($$ select pg_temp.invite('late@example.com') $$, 'an owner invites somebody who does not answer');
create temporary table late as select pg_temp.mail('late@example.com') as id;
update app.invitations set invited_at = invited_at - interval '8 days';
update auth.users set email_confirmed_at = now() where id = (select id from late);
select is(pg_temp.is_owner_or(id), null, 'after a week, the invitation gives no role') from late;
select lives_ok($$ select pg_temp.invite('orphan@example.com') $$, 'an owner invites somebody');
create temporary table orphan as select pg_temp.mail('orphan@example.com') as id;
update app.administrators as a set roles = '{service}' from owner where a.auth_id = owner.id;
update auth.users set email_confirmed_at = now() where id = (select id from orphan);
select is(pg_temp.is_owner_or(id), null, 'nor does one of somebody who is no owner any more') from orphan;
update app.administrators as a set roles = '{owner}' from owner where a.auth_id = owner.id;
select lives_ok(
  $$ select pg_temp.invite('banned@example.com') $$, 'an owner who is blocked later has invited somebody'
);
create temporary table banned as select pg_temp.mail('banned@example.com') as id;
update auth.users as u set banned_until = now() + interval '1 day' from owner where u.id = owner.id;
update auth.users set email_confirmed_at = now() where id = (select id from banned);
select is(pg_temp.is_owner_or(id), null, 'this invitation gives no role while the owner is blocked') from banned;
update auth.users as u set banned_until = null from owner where u.id = owner.id;
delete from app.invitations where email = 'banned@example.com';

-- A stranger whose account has a phone number adds the address, and its owner confirms it and then opens the mail of
-- the invitation.
create temporary table sun as select gen_random_uuid() as id;
insert into auth.users (id, phone, phone_confirmed_at) select id, '8613800007777', now() from sun;
update auth.users set email = 'sun@example.com', email_confirmed_at = now() where id = (select id from sun);
select lives_ok(
  $$ select pg_temp.invite('sun@example.com') $$, 'an owner invites an address that a stranger has added to an account'
);
update auth.users set recovery_sent_at = clock_timestamp() where id = (select id from sun);
select pg_temp.open_session(id, 'recovery') from sun;
update auth.users set encrypted_password = 'of the owner' where id = (select id from sun);
set constraints all immediate;
set constraints all deferred;
select is(pg_temp.is_owner_or(id), null, 'the password of its owner gives no role to the phone number of the stranger')
from sun;
update auth.users set encrypted_password = 'of the owner again' where id = (select id from sun);
set constraints all immediate;
set constraints all deferred;
select is(pg_temp.is_owner_or(id), null, 'nor does another one') from sun;
select throws_ok(
  $$ select app.add_administrator('sun@example.com', '{service}') $$, 'PT422', 'invalid_argument',
  'nor does the owner of the database'
);
select is(
  (select u.encrypted_password::text from auth.users as u, sun where u.id = sun.id), 'of the owner again',
  'the password stays'
);
update auth.users set phone = null, phone_confirmed_at = null, encrypted_password = 'without a phone'
where id = (select id from sun);
set constraints all immediate;
set constraints all deferred;
select is(pg_temp.is_owner_or(id), 'service', 'without the phone number, it does') from sun;

-- Whoever got a role in another way.
select lives_ok($$ select pg_temp.invite('qian@example.com') $$, 'an owner invites somebody');
insert into auth.users (id, email, email_confirmed_at) values (
  '00000000-0000-4000-8000-0000000000a2', 'qian@example.com', now()
);
select app.add_administrator('qian@example.com', '{service}');
select set_eq(
  $$ select i.email
  from app.invitations as i $$, $$ values ('late@example.com'), ('orphan@example.com') $$,
  'both remain in the list until they are withdrawn'
);

select * from finish();
rollback;
