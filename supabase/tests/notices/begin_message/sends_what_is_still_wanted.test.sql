begin;
\ir ../../support/fixture.psql
select plan(22);

create temporary table m as select pg_temp.sign_up() as uid;
insert into app.wechat_accounts (appid, openid, auth_id) select 'wx1', 'openid-1', u.auth_id from m
join app.users as u on u.uid = m.uid;
insert into app.message_templates (type, template_id, data) values ('order.shipped', 'shipped', '{"thing1": "title"}'),
  ('order.expiring', 'expiring', '{"thing1": "title"}');
select app.choose_notices(uid, '{"inbox": [], "email": ["orders"], "wechat": ["orders"]}', 'zh') from m;
insert into app.message_consents (uid, template_id, consents) select uid, 'shipped', 3 from m;
update app.message_settings set quiet_from = null, quiet_until = null;

select app.write_event('order.shipped', 7, uid, '{}', now()) from m;
select app.write_event('order.expiring', 7, uid, '{"expires_at": "2026-01-01T00:10:00Z"}', now()) from m;
create temporary table e as select e.type, app.event_cursor(e) as notice from app.events as e join m on m.uid = e.uid;
create function pg_temp.queue(p_kind text, p_type text default 'order.shipped') returns void language sql as $$
  select app.add_to_outbox(
    p_kind, e.notice || '_' || m.uid, jsonb_build_object('notice', e.notice, 'uid', m.uid), now(), now()
  )
  from e, m where e.type = p_type
$$;
create function pg_temp.begin(
  p_kind text, p_at timestamptz default now(), p_type text default 'order.shipped'
) returns jsonb language sql as $$
  select app.begin_message(p_kind, e.notice, m.uid, 'wx1', p_at) from e, m where e.type = p_type
$$;
create function pg_temp.record(p_kind text, p_result text) returns void language sql as $$
  select app.record_message(p_kind, e.notice, m.uid, p_result, 'WeChat answered with 47003') from e, m
  where e.type = 'order.shipped'
$$;
create function pg_temp.queued() returns bigint language sql as $$ select count(*) from app.outbox
  where lane = 'messages' $$;
create function pg_temp.consents() returns integer language sql as $$ select consents from app.message_consents $$;

select is(pg_temp.begin('member_mail'), null, 'what is not in the outbox is not sent');
select pg_temp.queue('member_mail'), pg_temp.queue('member_wechat');
select is(
  pg_temp.begin('member_mail') - '{notice, to, url}'::text[],
  '{"language": "zh", "site_name": "Store", "time_zone": "Asia/Shanghai"}', 'a mail has a language'
);
select is(
  pg_temp.begin('member_mail') ->> 'to',
  (select u.email::text from auth.users as u join app.users as s on s.auth_id = u.id join m on m.uid = s.uid),
  'and the confirmed address of its member'
);
select isnt(pg_temp.begin('member_mail'), null, 'it may begin again: a repeated mail has the same id');
select is(
  pg_temp.begin('member_wechat') - '{language, site_name, time_zone, url, notice}'::text[],
  '{"data": {"thing1": "title"}, "openid": "openid-1", "template_id": "shipped"}',
  'a message of WeChat has template and openid'
);
select is(
  pg_temp.begin('member_wechat'), null,
  'a message of WeChat of which nobody knows whether it was sent is not sent again'
);
select is(pg_temp.queued(), 1::bigint, 'and leaves the outbox');

-- Results.
select pg_temp.queue('member_wechat');
select pg_temp.begin('member_wechat') is not null, pg_temp.record('member_wechat', 'not_sent');
select isnt(pg_temp.begin('member_wechat'), null, 'what was certainly not sent is sent again');
select pg_temp.record('member_wechat', 'sent'), pg_temp.record('member_wechat', 'sent');
select is(pg_temp.queued() || ' ' || pg_temp.consents(), '1 3', 'what is sent leaves the outbox');
select pg_temp.queue('member_wechat');
select pg_temp.record('member_wechat', 'no_template');
select is(
  (select problem from app.message_templates where type = 'order.shipped') || ' ' || pg_temp.consents() || ' '
    || pg_temp.queued(),
  'WeChat answered with 47003 4 1', 'a refused template is stopped, and gives the consent back'
);
select pg_temp.queue('member_wechat');
select is(
  concat(pg_temp.begin('member_wechat'), pg_temp.consents()), '5',
  'no message of it is sent, and its consent is given back'
);
update app.message_templates set problem = null;
select pg_temp.queue('member_wechat');
select pg_temp.record('member_wechat', 'no_consent');
select is(pg_temp.consents() || ' ' || pg_temp.queued(), '0 1', 'if WeChat knows of no consent, there is none');
select throws_ok(
  $$ select pg_temp.record('member_mail', 'perhaps') $$, 'PT422', 'invalid_argument', 'other results are refused'
);

-- Who no longer wants it, or cannot get it.
create function pg_temp.is_sent(p_kind text, p_change text) returns boolean language plpgsql as $$
declare
  v_is_sent boolean;
begin
  perform pg_temp.queue(p_kind);
  begin
    execute p_change;
    v_is_sent := pg_temp.begin(p_kind) is not null;
    raise exception using errcode = 'P0001';
  exception when raise_exception then
    return v_is_sent;
  end;
end
$$;
select ok(
  pg_temp.is_sent('member_mail', 'select') and pg_temp.is_sent('member_wechat', 'select'),
  'without a change, both are sent'
);
select ok(
  not pg_temp.is_sent('member_mail', 'update app.inboxes set email = ''{}'''),
  'a topic that was switched off is not mailed'
);
select ok(not pg_temp.is_sent('member_wechat', 'update app.inboxes set wechat = ''{}'''), 'nor sent by WeChat');
select ok(
  not pg_temp.is_sent('member_mail', 'update auth.users set email_confirmed_at = null'),
  'an address that is not confirmed gets no mail'
);
select ok(
  not pg_temp.is_sent('member_wechat', 'delete from app.wechat_accounts'),
  'nor does somebody who is not in the mini program'
);
select ok(
  not pg_temp.is_sent(
    'member_mail',
    format('delete from auth.users where id = %L', (select s.auth_id from app.users as s join m on m.uid = s.uid))
  ),
  'nor a deleted account'
);

-- Time.
select pg_temp.queue('member_mail', 'order.expiring');
select is(
  pg_temp.begin('member_mail', '2026-01-01 00:11+00', 'order.expiring'), null,
  'an order that has expired is no longer about to'
);
update app.message_settings set quiet_from = '22:00', quiet_until = '08:00';
select ok(pg_temp.begin('member_mail', '2026-01-20 23:00+08') is null, 'within the quiet hours, a message is not sent');
select is(
  (select o.run_after from app.outbox as o where o.kind = 'member_mail'), timestamptz '2026-01-21 08:00+08',
  'it waits for their end'
);

select * from finish();
rollback;
