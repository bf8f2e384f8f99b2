-- Guarantee notices/told-once: Each event is told once in each channel that its member has chosen
-- By: position and messages in one transaction, app.tell_members
-- Guarantee notices/lane: No refund or transfer waits for messages
-- By: a lane of its own, app.lease_outbox
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(19);

-- Events are read up to the oldest open transaction, which this one is. So the events of this test are written as if by
-- an earlier one.
delete from app.told_events;
delete from app.inboxes;
insert into app.function_settings (project_url, functions_url, variables, reported_at) values (
  'https://x.supabase.co', 'https://x.supabase.co/functions/v1', '{STORE_SMTP_URL}', now()
)
on conflict (id) do update set variables = excluded.variables;
create temporary table here as select c.era, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as until
  from app.current_era() as c;
insert into app.told_events (era, xid, event_id) select era, (until - 1)::text::xid8, 9000000000000000000 from here;
create temporary sequence numbers;
create function pg_temp.happens(p_type text, p_uid bigint, p_cause text default 'job') returns void language sql as $$
  insert into app.events (
    era, xid, id, type, version, subject, subject_id, uid, payload, cause, add_time
  ) overriding system value
  select h.era, (h.until - 1)::text::xid8, 9000000000000000000 + nextval('numbers'), t.type, 1, t.subject,
    case t.subject when 'release' then 20260104 else 1 end, p_uid, '{}', p_cause, now()
  from here as h, app.event_types as t where t.type = p_type
$$;
-- Kind and member of each message that was written since the last call, after all events were told.
create function pg_temp.told(
  p_limit integer default 100, p_now timestamptz default now()
) returns text language plpgsql as $$
declare
  v_told text;
begin
  while app.tell_members(p_now, p_limit) >= p_limit loop end loop;
  v_told := (select coalesce(string_agg(o.kind || ' ' || n.name, ', ' order by o.kind, n.name, o.key), 'nothing')
    from app.outbox as o join m on true cross join lateral (
    values (m.a, 'a'), (m.b, 'b'), (m.c, 'c')
  ) as n (uid, name) where o.lane = 'messages' and (o.payload ->> 'uid')::bigint = n.uid);
  delete from app.outbox where lane = 'messages';
  return v_told;
end
$$;

create temporary table m as select pg_temp.sign_up() as a, pg_temp.sign_up() as b, pg_temp.sign_up() as c;
create function pg_temp.choose(p_uid bigint, p_email jsonb, p_wechat jsonb) returns void language sql as $$
  select app.choose_notices(p_uid, jsonb_build_object('inbox', '[]'::jsonb, 'email', p_email, 'wechat', p_wechat), 'en')
$$;
select pg_temp.choose(a, '["orders", "points"]', '["orders"]'), pg_temp.choose(b, '[]', '["orders", "points"]') from m;
insert into app.message_templates (type, template_id, data) values ('order.shipped', 'shipped', '{"thing1": "title"}'),
  ('points.released', 'released', '{"thing1": "title"}');
select app.add_consents(a, '{"shipped": "accept", "unknown": "accept", "released": "reject"}'),
  app.add_consents(b, '{"shipped": "accept"}'), app.add_consents(b, '{"shipped": "accept"}')
from m;
select is(
  (select string_agg(consents::text, ' ' order by consents) from app.message_consents), '1 2',
  'each accepted template that the store uses is one message'
);

select pg_temp.happens('order.shipped', a), pg_temp.happens('order.shipped', b), pg_temp.happens('order.shipped', c)
from m;
select is(
  pg_temp.told(), 'member_mail a, member_wechat a, member_wechat b',
  'an event is told on the ways that its member has chosen; who has chosen nothing has the inbox'
);
select is(pg_temp.told(), 'nothing', 'once');
select pg_temp.happens('order.shipped', a) from m;
select is(pg_temp.told(), 'member_mail a', 'without a consent left, there is no message of WeChat');
select pg_temp.happens('order.received', b) from m;
select is(pg_temp.told(), 'nothing', 'nor without a template');
select pg_temp.happens('commission.earned', a), pg_temp.happens('order.shipped', b, 'member'),
  pg_temp.happens('adjustment.requested', a)
from m;
select is(pg_temp.told(), 'nothing', 'other topics, what the member did, and what is no notice are not told');
update app.message_templates set problem = 'refused' where type = 'order.shipped';
select pg_temp.happens('order.shipped', b) from m;
select is(pg_temp.told(), 'nothing', 'a template with a problem is not used');
select is((select c.consents from app.message_consents as c, m where c.uid = m.b), 1, 'and takes no consent');

-- A release is one event.
insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time) select u,
  '2026-01-02', 10, 1, 9, now()
from m, unnest(array[a, b]) as u;
select pg_temp.happens('points.released', null), pg_temp.happens('order.received', a) from m;
select is(
  pg_temp.told(1), 'member_mail a, member_mail a',
  'a release is told to those whom it gave something, member by member, and what follows it after it'
);
select app.add_consents(b, '{"released": "accept"}') from m;
select pg_temp.choose(c, '["points"]', '[]') from m;
select pg_temp.happens('points.released', null);
select is(pg_temp.told(), 'member_mail a, member_wechat b', 'not to a member whom it gave nothing');
select is((select t.uid from app.told_events as t), null::bigint, 'it is told to all');

-- Limits.
delete from app.used_quotas where kind = 'mail';
select pg_temp.happens('order.received', a) from m, generate_series(1, 15);
select is(
  (select count(*) from unnest(string_to_array(pg_temp.told(), ', '))), 10::bigint, 'a member gets ten mails in an hour'
);
select pg_temp.happens('order.received', a) from m;
select is(pg_temp.told(p_now => now() + interval '61 minutes'), 'member_mail a', 'and more in the next');
update app.function_settings set variables = '{}';
select pg_temp.happens('order.received', a) from m;
select is(pg_temp.told(), 'nothing', 'without a mail server, no mail is written');
update app.function_settings set variables = '{STORE_SMTP_URL}';

-- Quiet hours, in the time zone of the store.
create function pg_temp.after(p_at text, p_from text, p_until text) returns text language sql as $$
  update app.message_settings set quiet_from = nullif(p_from, '')::time, quiet_until = nullif(p_until, '')::time;
  select to_char(app.after_quiet_hours((p_at || '+08')::timestamptz) at time zone 'Asia/Shanghai', 'DD HH24:MI')
$$;
select results_eq(
  $$ select pg_temp.after(v.at, v.f, v.u) from (values
    ('2026-01-20 21:59', '22:00', '08:00'), ('2026-01-20 22:00', '22:00', '08:00'),
      ('2026-01-21 07:59', '22:00', '08:00'), ('2026-01-21 08:00', '22:00', '08:00'),
    ('2026-01-20 12:30', '12:00', '14:00'), ('2026-01-20 11:59', '12:00', '14:00'), ('2026-01-20 03:00', '', '')
  ) as v (at, f, u) $$,
  $$ values ('20 21:59'), ('21 08:00'), ('21 08:00'), ('21 08:00'), ('20 14:00'), ('20 11:59'), ('20 03:00') $$,
  'quiet hours end at their end, also over midnight'
);
select pg_temp.after('2026-01-20 23:00', '22:00', '08:00') is not null;
delete from app.used_quotas where kind = 'mail';
select pg_temp.happens('order.received', a) from m;
do $$ begin perform app.tell_members('2026-01-20 23:00+08', 100); end $$;
select is(
  (select o.run_after from app.outbox as o where o.lane = 'messages'), timestamptz '2026-01-21 08:00+08',
  'a message of the night is due in the morning'
);
select is(
  (select count(*) from app.lease_outbox(10, '2026-01-21 09:00+08')), 0::bigint, 'the lane of the calls has no messages'
);
select is(
  (select string_agg(l.kind, ' ') from app.lease_outbox(10, '2026-01-21 09:00+08', 'messages') as l), 'member_mail',
  'they have their own'
);

select pg_temp.happens('order.received', 1);
delete from app.told_events;
select app.tell_members(now(), 100) >= 0;
select is(
  (select count(*) from app.outbox as o where o.payload ->> 'uid' = '1'), 0::bigint,
  'what happened before the first call is not told'
);

select * from finish();
rollback;
