begin;
\ir ../support/fixture.psql
select plan(11);

create temporary table first as select api.open_wechat_sign_in('wx1', 'openid', 'unionid') as o;
select is(o ->> 'is_registered', 'false', 'a new user has no account yet') from first;
select matches(o ->> 'email', '^wechat-[0-9a-f-]{36}@users\.invalid$', 'the address of the account is random')
from first;
select is(api.open_wechat_sign_in('wx1', 'openid'), null, 'a second sign-in of the user has to wait');
select isnt(
  api.open_wechat_sign_in('wx1', 'OPENID') ->> 'auth_id', o ->> 'auth_id',
  'another user, whose id differs in case, need not wait'
)
from first;
select isnt(
  api.open_wechat_sign_in('wx2', 'openid') ->> 'auth_id', o ->> 'auth_id', 'the same id in another app need not wait'
)
from first;

insert into auth.users (email_confirmed_at, id, email) select now(), (o ->> 'auth_id')::uuid, o ->> 'email' from first;
create temporary table member as select u.uid from app.users as u, first where u.auth_id = (o ->> 'auth_id')::uuid;
select is(
  api.close_wechat_sign_in((o ->> 'sign_in')::uuid, 1),
  (select jsonb_build_object('uid', uid, 'spread_bound', false) from member), 'closing the sign-in returns the member'
)
from first;
select is(api.close_wechat_sign_in((o ->> 'sign_in')::uuid), null, 'a sign-in ends once') from first;

update auth.users set email = 'own@example.com' where id = (select (o ->> 'auth_id')::uuid from first);
create temporary table second as select api.open_wechat_sign_in('wx1', 'openid') as o;
select results_eq('select o - ''sign_in'' from second',
  $$ select jsonb_build_object('auth_id', o -> 'auth_id', 'email', 'own@example.com', 'is_registered', true)
  from first $$,
  'the next sign-in finds the account by its present address');
select is(a.unionid, 'unionid', 'the unionid remains known') from app.wechat_accounts as a
where a.openid = 'openid' and a.appid = 'wx1';
update app.wechat_accounts set sign_in_until = clock_timestamp() - interval '1 second'
where appid = 'wx1' and openid = 'openid';
select isnt(api.open_wechat_sign_in('wx1', 'openid'), null, 'a sign-in that was never closed expires');
select is(
  (select api.close_wechat_sign_in((o ->> 'sign_in')::uuid) from second), null,
  'closing the expired sign-in has no effect'
);

select * from finish();
rollback;
