-- Guarantee access/unconfirmed-accounts: Before its address is confirmed, an account has no member, referrer, phone
-- number or role. An earlier password opens none with a role or an imported member
-- By: app.handle_new_auth_user, app.forget_first_sign_up, app.forget_unproved_password
begin;
\ir ../../support/fixture.psql
\ir ../../support/accounts.psql
select plan(33);

create temporary table people as select pg_temp.sign_up() as stranger, pg_temp.sign_up() as referrer;
create function pg_temp.member(p_id uuid) returns text language sql as $$
  select concat_ws(
    ' ', u.nickname, u.phone, case u.spread_uid when p.stranger then 'stranger' when p.referrer then 'referrer' end
  )
  from app.users as u, people as p where u.auth_id = p_id
$$;
create function pg_temp.metadata(p_name text) returns jsonb language sql as $$
  select jsonb_build_object('nickname', p_name, 'spread', case p_name when 'Ann' then p.referrer else p.stranger end)
  from people as p
$$;

-- An ordinary sign-up.
create temporary table ann as select pg_temp.account('ann@example.com', pg_temp.metadata('Ann')) as id;
select is((select pg_temp.member(id) from ann), null, 'an account that nobody has confirmed is no member');
select is(
  (select count(*) from app.users as u, people as p where u.spread_uid = p.referrer), 0::bigint, 'it counts for nobody'
);
update auth.users set email_confirmed_at = now() where id = (select id from ann);
select is(
  (select pg_temp.member(id) from ann), 'Ann referrer',
  'confirmed by the mail of the sign-up, it has its nickname and its referrer'
);
select is(
  (select u.encrypted_password::text from auth.users as u, ann where u.id = ann.id), 'first', 'and its password'
);
select is(
  (select count(*) from app.users as u, people as p where u.spread_uid = p.referrer), 1::bigint,
  'it counts for its referrer'
);

-- A stranger signs up first. The Auth server keeps their password and metadata, and sends another mail when the owner
-- signs up.
create temporary table ben as select pg_temp.account('ben@example.com', pg_temp.metadata('Mallory')) as id;
update auth.users set confirmation_sent_at = now() + interval '1 minute', confirmation_token = 'second'
where id = (select id from ben);
select is(
  (select u.encrypted_password::text from auth.users as u, ben where u.id = ben.id), null,
  'another mail removes the password of the first sign-up'
);
update auth.users set email_confirmed_at = now(), confirmation_token = '' where id = (select id from ben);
select is((select pg_temp.member(id) from ben), 'Member', 'and its nickname and referrer');
select is_empty('select from app.unproved_passwords as u, ben where u.auth_id = ben.id', 'nothing is left to prove');

-- The owner never signed up, but asked for a new password.
create temporary table cid as select pg_temp.account('cid@example.com', pg_temp.metadata('Mallory')) as id;
update auth.users set recovery_sent_at = now(), recovery_token = 'r' where id = (select id from cid);
update auth.users set recovery_token = '' where id = (select id from cid);
update auth.users set email_confirmed_at = now(), confirmation_token = '' where id = (select id from cid);
select is(
  (select concat_ws(' ', pg_temp.member(id), u.encrypted_password) from cid join auth.users as u using (id)), 'Member',
  'a link to a new password keeps nothing of the first sign-up'
);

-- Somebody confirms the address by hand.
create temporary table dee as select pg_temp.account('dee@example.com', pg_temp.metadata('Mallory'), null) as id;
select set_config('store.new_account', '', true);
update auth.users set email_confirmed_at = now() where id = (select id from dee);
select is(
  (select concat_ws(' ', pg_temp.member(id), u.encrypted_password) from dee join auth.users as u using (id)), 'Member',
  'a confirmation without a mail keeps nothing of the sign-up'
);

-- A project that asks for no confirmation, and an account that was created with the secret key: one transaction.
create temporary table eve as select pg_temp.account('eve@example.com', pg_temp.metadata('Ann'), null) as id;
select set_config('store.new_account', (select id::text from eve), true);
update auth.users set email_confirmed_at = now() where id = (select id from eve);
select is(
  (select concat_ws(' ', pg_temp.member(id), u.encrypted_password) from eve join auth.users as u using (id)),
  'Ann referrer first', 'what one transaction creates and confirms keeps everything'
);
select is_empty('select from app.unproved_passwords as u, eve where u.auth_id = eve.id', 'and has nothing to prove');

-- Phone numbers.
create temporary table fay as select pg_temp.account('fay@example.com', '{}') as id;
update auth.users set phone = '8613800001111' where id = (select id from fay);
update auth.users set email_confirmed_at = now() where id = (select id from fay);
select is((select pg_temp.member(id) from fay), 'Member', 'a number that nobody has confirmed is not shown');
update auth.users set phone_confirmed_at = now() where id = (select id from fay);
select is((select pg_temp.member(id) from fay), 'Member 8613800001111', 'a confirmed number is');

-- An imported member.
insert into app.users (uid, nickname) overriding system value values (501, 'Imported'), (502, 'Imported');
insert into app.user_balances (uid) values (501), (502);
insert into app.imported_members (old_uid, uid, phone, imported_at) values (501, 501, '8613800002222', now()),
  (502, 502, '8613800003333', now());
create temporary table gus as select pg_temp.account('gus@example.com', '{}') as id;
update auth.users set email_confirmed_at = now() where id = (select id from gus);
select pg_temp.open_session(id, 'password') from gus;
select pg_temp.open_session(id, 'otp') from gus;
select is(
  (select count(*) from app.unproved_passwords as u, gus where u.auth_id = gus.id), 1::bigint,
  'a password from before the confirmation is unproved'
);
update auth.users set phone = '8613800002222', phone_confirmed_at = now() where id = (select id from gus);
select is(
  (select pg_temp.member(id) from gus), 'Imported 8613800002222', 'a confirmed number claims the imported member'
);
select is(
  (select u.encrypted_password::text from auth.users as u, gus where u.id = gus.id), null,
  'the account then loses a password from before its confirmation'
);
select results_eq(
  $$ select c.authentication_method from auth.sessions as s join auth.mfa_amr_claims as c on c.session_id = s.id
  join gus on gus.id = s.user_id $$,
  $$ values ('otp') $$, 'and the sessions that began with it'
);
create temporary table hal as select pg_temp.account('hal@example.com', '{}') as id;
update auth.users set email_confirmed_at = now() where id = (select id from hal);
update auth.users set phone = '8613800004444', phone_confirmed_at = now() where id = (select id from hal);
update app.imported_members set phone = '8613800004444' where uid = 502;
update auth.users set last_sign_in_at = now() where id = (select id from hal);
select isnt(
  (select pg_temp.member(id) from hal), 'Imported 8613800004444',
  'a sign-in claims nothing while the password is unproved'
);
delete from app.unproved_passwords as u using hal where u.auth_id = hal.id;
update auth.users set last_sign_in_at = now() + interval '1 second' where id = (select id from hal);
select is((select pg_temp.member(id) from hal), 'Imported 8613800004444', 'it does once the password is proved');

-- Passwords that prove their owner.
create temporary table ivy as select pg_temp.account('ivy@example.com', '{}') as id;
update auth.users set email_confirmed_at = now() where id = (select id from ivy);
set constraints all immediate;
select pg_temp.open_session(id, 'password') from ivy;
update auth.users set encrypted_password = 'second' where id = (select id from ivy);
select is(
  (select count(*) from app.unproved_passwords as u, ivy where u.auth_id = ivy.id), 1::bigint,
  'a password that is set in a session of an unproved one is unproved'
);
delete from auth.sessions as s using ivy where s.user_id = ivy.id;
update auth.users set encrypted_password = 'sent while signing out' where id = (select id from ivy);
select is(
  (select count(*) from app.unproved_passwords as u, ivy where u.auth_id = ivy.id), 1::bigint,
  'nor does one that is set while the last session ends'
);
select pg_temp.open_session(id, 'otp') from ivy;
delete from auth.sessions as s using auth.mfa_amr_claims as c, ivy
where c.session_id = s.id and s.user_id = ivy.id and c.authentication_method = 'password';
update auth.users set encrypted_password = 'third' where id = (select id from ivy);
select is(
  (select count(*) from app.unproved_passwords as u, ivy where u.auth_id = ivy.id), 0::bigint,
  'a password that is set in the session of a link is proved'
);
update auth.users set email = 'ivy2@example.com' where id = (select id from ivy);
select is(
  (select count(*) from app.unproved_passwords as u, ivy where u.auth_id = ivy.id), 1::bigint,
  'but not for another address'
);

-- The earlier mailbox may be that of a stranger, with sessions and links that were sent to it.
update auth.users set encrypted_password = 'fourth' where id = (select id from ivy);
select is(
  (select count(*) from app.unproved_passwords as u, ivy where u.auth_id = ivy.id), 1::bigint,
  'a session from before the change proves nothing'
);
delete from auth.sessions as s using ivy where s.user_id = ivy.id;
select pg_temp.open_session(id, 'otp') from ivy;
update auth.users set encrypted_password = 'fifth' where id = (select id from ivy);
select is(
  (select count(*) from app.unproved_passwords as u, ivy where u.auth_id = ivy.id), 1::bigint,
  'nor does a later session of a link to the earlier address'
);
update auth.users set recovery_sent_at = clock_timestamp() where id = (select id from ivy);
delete from auth.sessions as s using ivy where s.user_id = ivy.id;
select pg_temp.open_session(id, 'otp') from ivy;
update auth.users set encrypted_password = 'sixth' where id = (select id from ivy);
select is(
  (select count(*) from app.unproved_passwords as u, ivy where u.auth_id = ivy.id), 0::bigint,
  'a link to the present address does'
);

-- An account without a password.
create temporary table jan as select pg_temp.account('jan@example.com', '{}') as id;
update auth.users set encrypted_password = null where id = (select id from jan);
update auth.users set email_confirmed_at = now() where id = (select id from jan);
select pg_temp.open_session(id, 'magiclink') from jan;
update auth.users set recovery_sent_at = clock_timestamp(), recovery_token = 'earlier' where id = (select id from jan);
insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to) select gen_random_uuid(), id,
  'recovery_token', 'earlier', 'jan@example.com'
from jan;
update auth.users set email = 'jan2@example.com' where id = (select id from jan);
select pg_temp.open_session(id, 'email_change') from jan;
update auth.users set encrypted_password = 'first' where id = (select id from jan);
select is(
  (select count(*) from app.unproved_passwords as u, jan where u.auth_id = jan.id), 1::bigint,
  'the first password after a change of the address is unproved, too'
);
insert into app.addresses (uid, address) select m.uid,
  '{"name": "Mallory", "phone": "13800000000", "region": ["A"], "street": "B 1"}'
from jan join app.users as m on m.auth_id = jan.id;
insert into app.payout_accounts (uid, method, holder, account_no, add_time) select m.uid, 'alipay', 'Mallory',
  'mallory@example.com', now()
from jan join app.users as m on m.auth_id = jan.id;
insert into app.users (uid, nickname) overriding system value values (503, 'Imported');
insert into app.user_balances (uid) values (503);
insert into app.imported_members (old_uid, uid, phone, imported_at) values (503, 503, '8613800005555', now());
update auth.users set phone = '8613800005555', phone_confirmed_at = now() where id = (select id from jan);
select is((select pg_temp.member(id) from jan), 'Imported 8613800005555', 'a claim');
select results_eq(
  $$ select c.authentication_method, u.encrypted_password::text from auth.sessions as s
  join auth.mfa_amr_claims as c on c.session_id = s.id join jan on jan.id = s.user_id
  join auth.users as u on u.id = jan.id $$,
  $$ values ('email_change', null::text) $$, 'ends the sessions of the earlier address'
);
select results_eq(
  $$ select u.recovery_token::text, (select count(*) from auth.one_time_tokens as t where t.user_id = u.id)
  from auth.users as u join jan using (id) $$,
  $$ values ('', 0::bigint) $$, 'and its links'
);
select is_empty(
  'select from app.addresses where uid = 503 union all select from app.payout_accounts where uid = 503',
  'and takes over no address and no payout account'
);
set constraints all deferred;

select pg_temp.sum_teams();
select is_empty(
  $$ select * from app.reconcile() as r where r.check_name <> 'job_is_not_late' $$, 'reconcile() finds nothing'
);

select * from finish();
rollback;
