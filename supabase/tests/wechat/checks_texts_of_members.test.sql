-- Guarantee privacy/wechat-texts: WeChat's answer about a member's text applies only while the member still has it, and
-- a replaced nickname is told once
-- By: api.record_text_check (decision 0115)
begin;
\ir ../support/fixture.psql
select plan(18);
grant store_api to postgres;

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as stranger;
insert into app.wechat_accounts (appid, openid, auth_id) select 'wx1', 'openid-1', u.auth_id from app.users as u, m
where u.uid = m.uid;
create function pg_temp.rename(p_uid bigint, p_nickname text) returns text language sql as $$
  select pg_temp.call(
    (select u.auth_id from app.users as u where u.uid = p_uid), 'set_me', jsonb_build_object('p_nickname', p_nickname),
    'authenticated'
  )
$$;
create function pg_temp.waiting() returns bigint language sql as $$ select count(*) from app.outbox
  where kind = 'text_check' $$;
create function pg_temp.answer(p_nickname text, p_verdict text) returns jsonb language sql as $$
  select api.record_text_check('nickname', (select uid from m), app.text_digest(p_nickname), p_verdict)
$$;
create function pg_temp.state() returns text language sql as $$
  select format(
    '%s %s %s', u.nickname, u.nickname_in_doubt,
    (select count(*) from app.events as e where e.uid = u.uid and e.type = 'profile.nickname_replaced')
  )
  from app.users as u, m where u.uid = m.uid
$$;

delete from app.function_settings;
select pg_temp.rename(uid, 'Lin') from m;
select is(pg_temp.waiting(), 0::bigint, 'without a mini program, nothing is checked');
insert into app.function_settings (project_url, functions_url, variables, reported_at) values (
  'https://x.example.com', 'https://x.example.com', '{STORE_WECHAT_MINI_APPID}', now()
);
select pg_temp.rename(stranger, 'Wu') from m;
select is(pg_temp.waiting(), 0::bigint, 'nor is a member whom WeChat does not know');
select pg_temp.rename(uid, 'Lin Yi'), pg_temp.rename(uid, 'Lin Yi') from m;
select is(pg_temp.waiting(), 1::bigint, 'a nickname is queued once');
select is(
  (select o.payload::text like '%Lin%' from app.outbox as o where o.kind = 'text_check'), false,
  'the row does not name it'
);
select is(
  (select api.get_text_check('nickname', m.uid, app.text_digest('Lin Yi'), 'wx1') from m),
  '{"openid": "openid-1", "text": "Lin Yi"}', 'WeChat gets it with the openid'
);
select is(
  (select api.get_text_check('nickname', m.uid, app.text_digest('Lin Yi'), 'wx2') from m), null,
  'and not for a program that the member never opened'
);
select pg_temp.rename(uid, 'Lin Er') from m;
select is(pg_temp.waiting(), 2::bigint, 'another nickname is another check');
select is(
  (select api.get_text_check('nickname', m.uid, app.text_digest('Lin Yi'), 'wx1') from m), null,
  'one that was changed is not checked any more'
);
select pg_temp.answer('Lin Yi', 'risky');
select is(pg_temp.state(), 'Lin Er f 0', 'a late answer changes nothing');
select pg_temp.answer('Lin Er', 'review');
select is(pg_temp.state(), 'Lin Er t 0', 'a doubtful nickname is marked and stays');
select is(pg_temp.waiting(), 0::bigint, 'recorded answers leave the outbox');
select pg_temp.rename(uid, 'Lin San') from m;
select is(pg_temp.state(), 'Lin San f 0', 'the next nickname is not in doubt');
select pg_temp.answer('Lin San', 'pass');
select is(pg_temp.state(), 'Lin San f 0', 'one that passes stays');
select pg_temp.answer('Lin San', 'risky'), pg_temp.answer('Lin San', 'risky'), pg_temp.answer('Member', 'risky');
select is(pg_temp.state(), 'Member f 1', 'a risky one becomes the neutral one, and the member is told once');
select throws_ok(
  $$ select pg_temp.answer('Member', 'odd') $$, 'PT422', 'invalid_argument', 'an unknown answer is refused'
);

create temporary table o as select pg_temp.report(uid, 2) as id from m;
select app.request_refund(id, null, 'broken', now()) from o;
create temporary table r as select f.id from app.refunds as f join o on f.order_id = o.id;
select is(
  (select api.get_text_check('refund_reason', r.id, app.text_digest('broken'), 'wx1') from r),
  '{"openid": "openid-1", "text": "broken"}', 'the reason of a refund is checked, too'
);
select api.record_text_check('refund_reason', id, app.text_digest('broken'), 'risky') from r;
select results_eq(
  'select f.reason, f.reason_check from app.refunds as f join r using (id)', $$ values ('broken', 'risky') $$,
  'a risky reason is marked and kept'
);
select is(pg_temp.waiting(), 0::bigint, 'and its check is done');

select * from finish();
rollback;
