begin;
\ir ../../support/fixture.psql
\ir ../../support/import.psql
select plan(33);

select pg_temp.stage();
select pg_temp.import();

create function pg_temp.account(
  p_phone text, p_is_confirmed boolean, p_spread text default null
) returns uuid language plpgsql as $$
declare
  v_id uuid := gen_random_uuid();
begin
  insert into auth.users (id, phone, phone_confirmed_at, email_confirmed_at, raw_user_meta_data)
  values (
    v_id, p_phone, case when p_is_confirmed then now() end, case when p_phone is null then now() end,
    jsonb_build_object('nickname', 'New', 'spread', p_spread)
  );
  return v_id;
end
$$;
create function pg_temp.member_of(p_auth_id uuid) returns bigint language sql as $$ select u.uid from app.users as u
  where u.auth_id = p_auth_id $$;

-- By phone: not before Auth has verified it.
create temporary table a as select pg_temp.account('8613800000501', false, '502') as id;
select is((select pg_temp.member_of(id) from a), null, 'a number that is not verified claims nobody');
select pg_temp.sum_teams();
update auth.users set phone_confirmed_at = now() where id = (select id from a);
select is((select pg_temp.member_of(id) from a), 501::bigint, 'the verified number claims the member');
select is((select nickname from app.users where uid = 501), 'Ann', 'the imported member keeps the name');
select is(
  (select claimed_by from app.imported_members where uid = 501), 'phone',
  'the imported member has the way in which it was claimed'
);

-- At sign-up, with a number that is already verified.
select is(
  pg_temp.member_of(pg_temp.account('8613800000502', true)), 502::bigint, 'a verified number claims at sign-up'
);

-- By openid.
create temporary table w as select (api.open_wechat_sign_in('wx-app', 'o-cid') ->> 'auth_id')::uuid as id;
insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) select now(), id, 'cid@users.invalid',
  '{"spread": "504", "nickname": "Other"}'
from w;
select is((select pg_temp.member_of(id) from w), 503::bigint, 'a sign-in with WeChat claims by openid');
select is(
  (select spread_uid from app.users where uid = 503), 502::bigint, 'the referrer stays, whatever the share link says'
);

-- A member in use is never replaced.
update app.imported_members set phone = '8613800000504' where uid = 504;
create temporary table u as select pg_temp.sign_up() as uid;
select pg_temp.buy(uid) from u;
update auth.users set phone = '8613800000504', phone_confirmed_at = now()
where id = (select x.auth_id from app.users as x, u where x.uid = u.uid);
select is(
  (select claimed_at from app.imported_members where uid = 504), null,
  'an account whose member has an order claims nobody'
);
select is((select phone from app.users, u where users.uid = u.uid), '8613800000504', 'that account keeps its member');
create temporary table v as select pg_temp.sign_up() as uid;
select is(
  (select api.set_phone(uid, '8613800000504') ->> 'uid' from v), '504', 'a number that WeChat has verified claims, too'
);
select is(
  (select phone from app.users where uid = 504), '8613800000504', 'the number that WeChat has verified is stored'
);

-- Somebody who signed up before the import.
create temporary table early as select pg_temp.account('8613800000777', true, '502') as id;
create temporary table own as select pg_temp.member_of(id) as uid from early;
insert into app.addresses (uid, address, is_default) select uid,
  '{"name": "Eve", "phone": "13800000777", "region": ["A"], "street": "B"}', true
from own;
insert into app.payout_accounts (uid, method, holder, account_no, add_time) select uid, 'alipay', 'Eve', '13800000777',
  now()
from own;
insert into app.posters (uid, token, fingerprint, share_url, made_at) select uid, gen_random_uuid(), 'f',
  'https://example.com', now()
from own;
select app.use_quota(uid, 'profile_change', now()) from own;
select pg_temp.sum_teams();
select pg_temp.stage();
update app.staged_members set uid = '507', phone = '13800000777', referrer = '501' where uid = '503';
delete from app.staged_openids;
delete from app.staged_orders;
delete from app.staged_order_lines;
delete from app.staged_refunds;
select pg_temp.import();
update auth.users set last_sign_in_at = now() where id = (select id from early);
select is(
  (select pg_temp.member_of(id) from early), 507::bigint,
  'a person who signed up before the import gets the imported member at the next sign-in'
);
select is_empty(
  $$ select from app.users as u, own
  where u.uid = own.uid $$, 'the member of the sign-up is replaced, although it had an address, a poster and a team'
);
select is_empty($$ select from app.used_quotas as q, own where q.uid = own.uid $$, 'nothing is left of what it did');
select is(
  (select a.address ->> 'name' from app.addresses as a where a.uid = 507), 'Eve',
  'the address book of a replaced member is kept'
);
select is(
  (select a.holder from app.payout_accounts as a where a.uid = 507), 'Eve',
  'the payout accounts of a replaced member are kept'
);

-- WeChat names the unionid later.
insert into app.imported_openids (openid, appid, uid) values ('o-dee', null, 504);
update app.imported_members set phone = null, claimed_at = null, claimed_by = null where uid = 504;
update app.users set auth_id = null where uid = 504;
create temporary table late as select pg_temp.account(null, false) as id;
insert into app.wechat_accounts (appid, openid, auth_id) select 'wx-app', 'o-dee', id from late;
update auth.users set last_sign_in_at = now() where id = (select id from late);
select is((select pg_temp.member_of(id) from late), 504::bigint, 'an openid that is known later claims, too');

-- By an administrator.
insert into app.users (uid, nickname) overriding system value values (511, 'Old');
insert into app.user_balances (uid) values (511);
insert into app.imported_members (old_uid, uid, imported_at) values (511, 511, now());
create temporary table person as select pg_temp.account(null, false) as id;
create temporary table member as select pg_temp.member_of(id) as uid from person;
select is(
  app.claim_for(999999, 511), 'No account has the member 999999 of this store.',
  'an administrator needs a member with an account'
);
select is(
  (select app.claim_for(uid, 999) from member), 'No member with the number 999 was imported.',
  'an administrator needs a member who was imported'
);
select is(
  (select app.claim_for(uid, 507) from member),
  (
    select format('The imported member 507 was claimed at %s.', app.utc(claimed_at)) from app.imported_members
    where uid = 507
  ),
  'a claimed member is not given to another account'
);
select is(
  (select app.claim_for(uid, 511) from u),
  (select format('The member %s has orders. Members are never merged.', uid) from u),
  'a member with an order is not replaced'
);
create temporary table head as select pg_temp.sign_up() as uid;
select pg_temp.sign_up(uid::text) from head;
select is(
  (select app.claim_for(uid, 511) from head),
  (select format('The member %s has referred other members. Members are never merged.', uid) from head),
  'a member with people below is not replaced'
);
select is(
  app.claim_for(507, 511), 'The member 507 is an imported member. Members are never merged.',
  'a member who was imported is not replaced'
);
select is(
  (
    select app.claim_for(pg_temp.grade(pg_temp.sign_up(), 1), 511)
  ) like 'The member % has a level that an administrator has set.%',
  true, 'a member with a level by hand is not replaced'
);
select is(
  (select app.claim_for(uid, 511) from member), null,
  'an administrator gives an imported member to the account of another'
);
select is(
  (
    select (u.uid, i.claimed_by)::text from app.users as u join app.imported_members as i on i.uid = u.uid
    join person as p on p.id = u.auth_id
  ),
  '(511,administrator)', 'the account has the member that the administrator gave'
);
select is(
  app.claim_for(511, 511),
  format(
    'The imported member 511 was claimed at %s.',
    (select app.utc(i.claimed_at) from app.imported_members as i where i.uid = 511)
  ),
  'a member cannot be given twice'
);

-- An error does not prevent a sign-in.
create function pg_temp.break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
insert into app.imported_openids (openid, appid, uid) values ('o-511', null, 511);
update app.imported_members set claimed_at = null, claimed_by = null where uid = 511;
create trigger breaks before update on app.imported_members for each row execute function pg_temp.break();
create temporary table other as select pg_temp.account(null, false) as id;
insert into app.wechat_accounts (appid, openid, auth_id) select 'wx-app', 'o-511', id from other;
select lives_ok(
  $$ update auth.users set last_sign_in_at = now()
  where id = (select id from other) $$, 'a claim that fails does not prevent the sign-in'
);
select isnt((select pg_temp.member_of(id) from other), 511::bigint, 'a claim that fails gives no member');
drop trigger breaks on app.imported_members;
update app.imported_members set claimed_at = now(), claimed_by = 'administrator' where uid = 511;

-- A deleted account.
delete from auth.users where id = (select id from a);
select is(
  (select concat_ws(' ', nickname, phone) from app.users where uid = 501), '已注销 · Deleted member',
  'a deleted account leaves no name'
);
select is(
  (select title || note from app.imported_bill where uid = 501 and old_id = '1'), '',
  'a deleted account leaves neither title nor note of an old bill row'
);
select is(pg_temp.member_of(pg_temp.account('8613800000501', true)) <> 501, true, 'nobody claims a deleted member');
select pg_temp.sum_teams();
select is_empty(
  $$ select * from app.reconcile() as r where r.check_name <> 'job_is_not_late' $$, 'reconcile() finds nothing'
);

select * from finish();
rollback;
