begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(3);

select pg_temp.stage();
update app.staged_members set is_claimable = '0' where uid in ('501', '503');
select pg_temp.import();

create temporary table a as select gen_random_uuid() as id;
insert into auth.users (id, phone, phone_confirmed_at, raw_user_meta_data) select id, '8613800000501', now(),
  '{"nickname": "New"}'
from a;
select isnt(
  (select u.uid from app.users as u join a on a.id = u.auth_id), 501::bigint,
  'the verified phone number of a member who cannot be claimed claims nobody'
);

create temporary table w as select (api.open_wechat_sign_in('wx-app', 'o-cid') ->> 'auth_id')::uuid as id;
insert into auth.users (email_confirmed_at, id, email) select now(), id, 'cid@users.invalid' from w;
select isnt((select u.uid from app.users as u join w on w.id = u.auth_id), 503::bigint, 'neither does an openid');

select is((select u.nickname from app.users as u where u.uid = 501), 'Ann', 'the member is imported all the same');

select * from finish();
rollback;
