-- Guarantee privacy/wechat-pictures: WeChat's first answer about a picture counts, however late, and no other. A doubt
-- that an administrator has dismissed does not return
-- By: `checked_at` in api.record_picture_check (decision 0118)
begin;
\ir ../support/fixture.psql
select plan(23);
grant store_api to postgres;

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as stranger;
insert into app.wechat_accounts (appid, openid, auth_id) select 'wx1', 'openid-1', u.auth_id from app.users as u, m
where u.uid = m.uid;
create function pg_temp.upload(p_kind text, p_uid bigint) returns uuid language plpgsql as $$
declare
  v_id uuid := app.begin_picture(p_kind, (select u.auth_id from app.users as u where u.uid = p_uid), now());
begin
  perform api.finish_picture(v_id, 'image/jpeg', 800, 600, 480, 360, 9000, 2000);
  return v_id;
end
$$;
create function pg_temp.waiting() returns bigint language sql as $$ select count(*) from app.outbox
  where kind = 'picture_check' $$;
create function pg_temp.show(p_id uuid) returns void language sql as $$
  update app.users set avatar = 'https://x.example.com/storage/v1/object/public/pictures/' || p_id || '/small.jpg'
  where uid = (select uid from m)
$$;
create function pg_temp.state(p_id uuid) returns text language sql as $$
  select concat_ws(
    ' ', p.state, coalesce(p.content_check, '-'),
    (select u.avatar is not null from app.users as u, m where u.uid = m.uid)
  )
  from app.pictures as p where p.id = p_id
$$;

delete from app.function_settings;
insert into app.function_settings (project_url, functions_url, variables, reported_at) values (
  'https://x.example.com', 'https://x.example.com', '{STORE_WECHAT_MINI_APPID}', now()
);
select pg_temp.upload('avatar', uid) from m;
select is(pg_temp.waiting(), 0::bigint, 'where the store receives no messages, nothing is checked');
update app.function_settings set variables
  = '{STORE_WECHAT_MINI_APPID, STORE_WECHAT_MINI_PUSH_TOKEN, STORE_WECHAT_MINI_PUSH_KEY}';
select pg_temp.upload('avatar', stranger), pg_temp.upload('store', uid) from m;
select is(pg_temp.waiting(), 0::bigint, 'nor is a picture of a member whom WeChat does not know, or of the store');

create temporary table p as select pg_temp.upload('avatar', uid) as avatar, pg_temp.upload('refund', uid) as refund,
  pg_temp.upload('avatar', uid) as other
  from m;
select is(pg_temp.waiting(), 3::bigint, 'pictures of a member are queued');
select api.finish_picture(avatar, 'image/jpeg', 800, 600, 480, 360, 9000, 2000) from p;
select is(pg_temp.waiting(), 3::bigint, 'once');
select is(
  (select api.get_picture_check(p.avatar, 'wx1') from p),
  '{"openid": "openid-1", "media_type": "image/jpeg", "is_private": false, "asked": 0}',
  'WeChat gets it with the openid'
);
select is(
  (select api.get_picture_check(p.refund, 'wx1') ->> 'is_private' from p), 'true', 'a picture of a refund is private'
);
select is(
  (select api.get_picture_check(p.avatar, 'wx2') from p), null, 'and none is for a program that the member never opened'
);

select api.record_picture_question(avatar, 'trace-1') from p;
select ok(
  (select o.run_after > now() + interval '59 minutes' from app.outbox as o, p where o.key = p.avatar::text),
  'an answer has an hour to come'
);
select is((select api.get_picture_check(p.avatar, 'wx1') ->> 'asked' from p), '1', 'then WeChat is asked again');
select api.record_picture_question(avatar, 'trace-2'), pg_temp.show(avatar) from p;
select is(
  api.record_picture_check('trace-9', 'risky'), '{"known": false}', 'an answer about another picture changes nothing'
);
select is(api.record_picture_check('trace-1', 'review'), '{"known": true}', 'a late answer counts');
select is((select pg_temp.state(avatar) from p), 'stored review t', 'a doubtful avatar is marked and stays');
select is(pg_temp.waiting(), 2::bigint, 'and its check is done');
select api.record_picture_check('trace-2', 'risky');
select is((select pg_temp.state(avatar) from p), 'stored review t', 'the second answer changes nothing');
select is((select api.get_picture_check(p.avatar, 'wx1') from p), null, 'nor is there anything left to ask');

select api.record_picture_question(other, 'trace-3'), pg_temp.show(other) from p;
select api.record_picture_check('trace-3', 'risky'), api.record_picture_check('trace-3', 'risky');
select is((select pg_temp.state(other) from p), 'removing risky f', 'a risky avatar is removed');
select is(
  (select count(*) from app.events as e, m where e.uid = m.uid and e.type = 'profile.avatar_removed'), 1::bigint,
  'of which the member is told once'
);
select results_eq(
  'select payload from app.outbox where kind = ''remove_picture''',
  $$ select jsonb_build_object('picture_id', other, 'is_private', false)
    from p $$, 'and so are its files'
);

select api.record_picture_question(refund) from p;
select is(pg_temp.waiting(), 0::bigint, 'a picture that WeChat does not check is done');
select api.record_picture_question(refund, 'trace-4') from p;
select api.record_picture_check('trace-4', 'risky');
select is((select pg_temp.state(refund) from p), 'stored risky f', 'a risky picture of a refund is marked and kept');
select throws_ok(
  $$ select api.record_picture_check('trace-4', 'odd') $$, 'PT422', 'invalid_argument', 'an unknown answer is refused'
);
select throws_ok(
  $$ select api.record_picture_question(p.refund, repeat('x', 129))
  from p $$, 'PT422', 'invalid_argument', 'and so is an endless number'
);
select throws_ok(
  $$ update app.pictures set content_check = 'review', checked_at = null $$, '23514', null,
  'only a checked picture is in doubt'
);

select * from finish();
rollback;
