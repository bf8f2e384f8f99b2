-- Guarantee access/unconfirmed-accounts
begin;
\ir ../../support/fixture.psql
\ir ../../support/accounts.psql
select plan(9);

create temporary table boss as select pg_temp.account('boss@example.com', '{}') as id;
select throws_ok(
  $$ select app.add_administrator('boss@example.com') $$, 'PT422', 'invalid_argument',
  'an account that nobody has confirmed gets no role'
);
select is((select u.role::text from auth.users as u, boss where u.id = boss.id), 'authenticated', 'and keeps its role');

update auth.users set email_confirmed_at = now() where id = (select id from boss);
select pg_temp.open_session(id, 'password') from boss;
select pg_temp.open_session(id, 'otp') from boss;
update auth.users set phone = '8613800001111', phone_confirmed_at = now() where id = (select id from boss);
select throws_ok(
  $$ select app.add_administrator('boss@example.com') $$, 'PT422', 'invalid_argument',
  'nor does one whose phone number a stranger may have added'
);
update auth.users set phone = null, phone_confirmed_at = null where id = (select id from boss);
select is(app.add_administrator('boss@example.com', '{finance}', 'Wang Li'), id, 'a confirmed account gets the role')
from boss;
select is(
  (select u.encrypted_password::text from auth.users as u, boss where u.id = boss.id), null,
  'and loses a password from before the confirmation'
);
select results_eq(
  $$ select c.authentication_method from auth.sessions as s join auth.mfa_amr_claims as c on c.session_id = s.id
  join boss on boss.id = s.user_id $$,
  $$ values ('otp') $$, 'with the sessions that began with it'
);

update auth.users set encrypted_password = 'by a link' where id = (select id from boss);
select app.add_administrator('boss@example.com', '{service}');
select is(
  (select u.encrypted_password::text from auth.users as u, boss where u.id = boss.id), 'by a link',
  'a password from after it stays'
);

-- An account that npm run admin has created.
insert into auth.users (id, email, role, email_confirmed_at, encrypted_password) values (
  '00000000-0000-4000-8000-0000000000f1', 'new@example.com', 'store_admin', now(), 'printed'
);
select app.add_administrator('new@example.com', '{owner}', 'Li Lei');
select is_empty(
  $$ select from app.users
  where auth_id = '00000000-0000-4000-8000-0000000000f1' $$,
  'an account that was created as an administrator is no member'
);
select is(
  app.actor_json('00000000-0000-4000-8000-0000000000f1') ->> 'nickname', 'Li Lei', 'and is shown by its own name'
);

select * from finish();
rollback;
