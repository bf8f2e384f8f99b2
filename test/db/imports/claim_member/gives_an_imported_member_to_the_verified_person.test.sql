begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(16);

select pg_temp.stage();
select pg_temp.import();

create function pg_temp.account(p_phone text, p_is_confirmed boolean, p_spread text default null) returns uuid language plpgsql as $$
declare
  v_id uuid := gen_random_uuid();
begin
  insert into auth.users (id, phone, phone_confirmed_at, raw_user_meta_data)
  values (v_id, p_phone, case when p_is_confirmed then now() end, jsonb_build_object('nickname', 'New', 'spread', p_spread));
  return v_id;
end
$$;
create function pg_temp.member_of(p_auth_id uuid) returns bigint language sql as $$ select u.uid from app.users as u where u.auth_id = p_auth_id $$;

-- By phone: not before Auth has verified it.
create temporary table a as select pg_temp.account('8613800000501', false, '502') as id;
select isnt((select pg_temp.member_of(id) from a), 501::bigint, 'a number that is not verified claims nobody');
select pg_temp.sum_teams();
create temporary table fresh as select pg_temp.member_of(id) as uid from a;
update auth.users set phone_confirmed_at = now() where id = (select id from a);
select is((select pg_temp.member_of(id) from a), 501::bigint, 'the verified number claims the member');
select is_empty($$ select from app.users as u, fresh where u.uid = fresh.uid $$, 'the member that the sign-up created is removed');
select is((select nickname from app.users where uid = 501), 'Ann', 'the imported member keeps the name');
select is((select claimed_by from app.imported_members where uid = 501), 'phone', 'the imported member has the way in which it was claimed');

-- At sign-up, with a number that is already verified.
select is(pg_temp.member_of(pg_temp.account('8613800000502', true)), 502::bigint, 'a verified number claims at sign-up');

-- By openid.
create temporary table w as select (api.open_wechat_sign_in('wx-app', 'o-cid') ->> 'auth_id')::uuid as id;
insert into auth.users (id, email, raw_user_meta_data) select id, 'cid@users.invalid', '{"spread": "504", "nickname": "Other"}' from w;
select is((select pg_temp.member_of(id) from w), 503::bigint, 'a sign-in with WeChat claims by openid');
select is((select spread_uid from app.users where uid = 503), 502::bigint, 'the referrer stays, whatever the share link says');

-- A member in use is never replaced.
update app.imported_members set phone = '8613800000504' where uid = 504;
create temporary table u as select pg_temp.sign_up() as uid;
select pg_temp.buy(uid) from u;
update auth.users set phone = '8613800000504', phone_confirmed_at = now() where id = (select x.auth_id from app.users as x, u where x.uid = u.uid);
select is((select claimed_at from app.imported_members where uid = 504), null, 'an account whose member has an order claims nobody');
select is((select phone from app.users, u where users.uid = u.uid), '8613800000504', 'that account keeps its member');
create temporary table v as select pg_temp.sign_up() as uid;
select is((select api.set_phone(uid, '8613800000504') ->> 'uid' from v), '504', 'a number that WeChat has verified claims, too');
select is((select phone from app.users where uid = 504), '8613800000504', 'the number that WeChat has verified is stored');

-- A deleted account.
delete from auth.users where id = (select id from a);
select is((select concat_ws(' ', nickname, phone) from app.users where uid = 501), 'Deleted member', 'a deleted account leaves no name');
select is((select note from app.imported_bill where uid = 501), '', 'a deleted account leaves no note');
select is(pg_temp.member_of(pg_temp.account('8613800000501', true)) <> 501, true, 'nobody claims a deleted member');
select pg_temp.sum_teams();
select is_empty($$ select * from app.reconcile() as r where r.check_name <> 'job_is_not_late' $$, 'reconcile() finds nothing');

select * from finish();
rollback;
