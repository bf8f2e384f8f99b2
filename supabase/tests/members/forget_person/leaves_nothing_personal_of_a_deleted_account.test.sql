-- Guarantee privacy/deleted-token: The token of a deleted account writes nothing
-- By: the member is detached from the account, app.forget_person
begin;
\ir ../../support/fixture.psql
select plan(13);
grant store_api to postgres;

create temporary table m as select pg_temp.reporter() as uid, pg_temp.sign_up() as soft;
create temporary table who as select u.uid, u.auth_id from app.users as u, m where u.uid in (m.uid, m.soft);
update auth.users set phone = '1390000' || (select w.uid from who as w where w.auth_id = id), phone_confirmed_at = now()
where id in (select auth_id from who);
update app.users set avatar = 'https://example.com/a.png' where uid in (select uid from who);
select app.save_poster(uid, 0, 'template', null, null, now()) from who;
select app.as_caller(
  jsonb_build_object('role', 'authenticated', 'sub', auth_id), 'request_refund',
  jsonb_build_object('p_order_id', (select max(o.id) from app.orders as o where o.uid = w.uid)), 'key-1'
)
from who as w, m where w.uid = m.uid;
reset role;
insert into app.wechat_accounts (appid, openid, auth_id) select 'wx1', 'openid-' || uid, auth_id from who;
insert into app.administrators (auth_id, added_at) select auth_id, now() from who;
create temporary table before as select b.* from app.user_balances as b join who as w using (uid);

select is(count(*), 2::bigint, 'two members with a phone') from app.users as u join who as w using (uid)
where u.phone is not null;
select is(
  (select count(*) from app.idempotency_keys as k join who as w using (auth_id)), 1::bigint, 'a stored response exists'
);
delete from auth.users where id = (select w.auth_id from who as w, m where w.uid = m.uid);
-- Like the Auth server: with a hash instead of the phone number, even for accounts without one.
update auth.users set deleted_at = now(), phone = 'Zm9vYmFyaGFzaGV'
where id = (select w.auth_id from who as w, m where w.uid = m.soft);
select results_eq('select nickname, phone, avatar from app.users as u join who as w using (uid)',
  $$ values ('已注销 · Deleted member', null::text, null::text), ('已注销 · Deleted member', null, null) $$,
  'an account that is deleted, or marked as deleted, leaves no name, phone or picture');
select is_empty(
  'select u.uid from app.users as u join who as w using (uid) where u.auth_id is not null',
  'the members are detached from the accounts'
);
-- Tokens stay valid for up to an hour.
select throws_ok(
  format(
    $$ select app.as_caller('{"role": "authenticated", "sub": "%s"}', 'set_me', '{"p_nickname": "Back again"}') $$,
    w.auth_id
  ),
  null, null,
  'the token of a deleted account writes no name'
) from who as w order by w.uid;
select is_empty('select * from app.posters as p join who as w using (uid)', 'the poster with the name is gone');
select is_empty(
  'select * from app.idempotency_keys as k join who as w using (auth_id)', 'stored responses are deleted'
);
select is_empty(
  'select * from app.wechat_accounts as a join who as w using (auth_id)', 'the ids at WeChat are deleted'
);
select is_empty(
  'select * from app.administrators as a join who as w using (auth_id)', 'an administrator is none any more'
);
select set_eq(
  'select b.* from app.user_balances as b join who as w using (uid)', 'select * from before', 'balances remain'
);
select ok(exists (select from app.orders as o, m where o.uid = m.uid), 'orders remain');
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
