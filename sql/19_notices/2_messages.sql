-- Messages of notices to members: by email, and as subscribe messages of the mini program. Which are written, and when
-- one may be sent. docs/decisions/0105 and 0106 say why they are read from the events, and why a message whose outcome
-- is unknown is not repeated.

create table app.message_settings (
  id boolean primary key default true,
  quiet_from time,
  quiet_until time,
  constraint there_is_only_one_row check (id),
  constraint quiet_hours_have_both_ends check ((quiet_from is null) = (quiet_until is null)),
  constraint quiet_hours_are_not_empty check (quiet_from <> quiet_until)
);
comment on table app.message_settings is
  'When no messages are sent to members: from quiet_from until quiet_until in the time zone of the store, over '
  'midnight if the end is earlier. Always one row.';
insert into app.message_settings default values on conflict do nothing;

create table app.message_templates (
  type text primary key,
  template_id text not null,
  data jsonb not null,
  problem text,
  constraint type_is_a_type_of_event check (type ~ '^[a-z]+[.][a-z_]+$'),
  constraint template_id_is_a_word check (template_id ~ '^[\w-]{1,64}$'),
  constraint data_is_an_object check (jsonb_typeof(data) = 'object'),
  constraint problem_is_a_short_text check (char_length(problem) <= 200)
);
comment on table app.message_templates is
  'The templates of WeChat by type of notice. A type without a row, or with a problem, has no messages of WeChat.';
comment on column app.message_templates.data is
  'The fields of the template, such as thing1, each with what the message says there (app.message_parts).';
comment on column app.message_templates.problem is
  'Why WeChat refused a message of this template. None is sent until an administrator saves the template again.';

create table app.message_consents (
  uid bigint not null references app.users (uid) on delete cascade,
  template_id text not null,
  consents integer not null,
  primary key (uid, template_id),
  constraint template_id_is_a_word check (template_id ~ '^[\w-]{1,64}$'),
  constraint consents_are_between_0_and_100 check (consents between 0 and 100)
);
comment on table app.message_consents is
  'How many messages of a template a member has agreed to and not got yet. WeChat counts, too, and its count decides.';

create table app.told_events (
  id boolean primary key default true,
  era integer not null,
  xid xid8 not null,
  event_id bigint not null,
  uid bigint,
  constraint there_is_only_one_row check (id)
);
comment on table app.told_events is
  'The last event whose messages are written. uid: of a release, members up to this one have theirs; null: all have.';

alter table app.message_settings enable row level security;
alter table app.message_templates enable row level security;
alter table app.message_consents enable row level security;
alter table app.told_events enable row level security;
create policy admins_read_message_settings on app.message_settings for select to store_admin, service_role using (true);
create policy admins_read_message_templates on app.message_templates for select to store_admin, service_role
  using (true);
create policy admins_read_all_message_consents on app.message_consents for select to store_admin, service_role
  using (true);
create policy admins_read_told_events on app.told_events for select to store_admin, service_role using (true);
grant select on app.message_settings, app.message_templates, app.message_consents, app.told_events to store_admin,
  service_role;

create or replace function app.message_parts()
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select '{title, text, number, amount, points, time, site_name}'::text[]
$$;

comment on function app.message_parts is
  'Returns what a field of a template can say: parts of the notice, and the name of the store.';

create or replace function app.after_quiet_hours(p_at timestamptz)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when m.quiet_from < m.quiet_until and l.at::time >= m.quiet_from
      and l.at::time < m.quiet_until then (l.at::date + m.quiet_until) at time zone s.time_zone
    when m.quiet_from > m.quiet_until
      and l.at::time >= m.quiet_from then (l.at::date + 1 + m.quiet_until) at time zone s.time_zone
    when m.quiet_from > m.quiet_until
      and l.at::time < m.quiet_until then (l.at::date + m.quiet_until) at time zone s.time_zone
    else p_at
  end
  from app.message_settings as m cross join app.settings as s
  cross join lateral (select p_at at time zone s.time_zone as at) as l
$$;

comment on function app.after_quiet_hours is 'Returns p_at, or, if it is within the quiet hours, their end.';

create or replace function app.most_mails_an_hour()
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 10
$$;

comment on function app.most_mails_an_hour is 'Returns how many mails of notices a member gets within an hour at most.';

-- Not idempotent: each call counts.
create or replace function app.may_mail(p_uid bigint, p_now timestamptz)
returns boolean
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.used_quotas as q (uid, kind, began_at, used) values (p_uid, 'mail', p_now, 1)
  on conflict (uid, kind) do update
  set (began_at, used) = (
    select case when h.is_open then q.began_at else p_now end, case when h.is_open then q.used + 1 else 1 end
    from (select q.began_at > p_now - interval '1 hour' and q.began_at < p_now + interval '1 hour' as is_open) as h
  )
  returning q.used <= app.most_mails_an_hour()
$$;

comment on function app.may_mail is
  'Counts a mail to a member, and returns whether it is within app.most_mails_an_hour().';

-- Precondition: called once for an event and member, by the holder of the position (app.told_events).
-- Locks: the count of the member's mails, or of their consents.
create or replace function app.write_messages(p_event app.events, p_inbox app.inboxes, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_topic constant text := (
    select t.topic from app.notice_types() as t
    where t.type = p_event.type and app.is_notice(p_event.type, p_event.cause, array[t.type])
  );
  v_key constant text := app.event_cursor(p_event) || '_' || p_inbox.uid;
  v_payload constant jsonb := jsonb_build_object('notice', app.event_cursor(p_event), 'uid', p_inbox.uid);
begin
  if v_topic is null or p_event.uid is null and app.week_of_release(p_inbox.uid, p_event) is null then
    return;
  end if;
  if v_topic = any (p_inbox.email) and app.mail_is_set_up() and app.may_mail(p_inbox.uid, p_now) then
    perform app.add_to_outbox('member_mail', v_key, v_payload, app.after_quiet_hours(p_now), p_now);
  end if;
  if v_topic = any (p_inbox.wechat) then
    update app.message_consents as c set consents = c.consents - 1
    from app.message_templates as t
    where t.type = p_event.type and t.problem is null and c.uid = p_inbox.uid and c.template_id = t.template_id
      and c.consents > 0;
    if found then
      perform app.add_to_outbox('member_wechat', v_key, v_payload, app.after_quiet_hours(p_now), p_now);
    end if;
  end if;
end
$$;

comment on function app.write_messages is
  'Writes the messages of an event for a member to the outbox, by the channels that they chose: a mail '
  '(app.may_mail), and a message of WeChat, which takes a consent.';

-- Events come in another order than that of the consents, which a member's answer to WeChat locks, too
-- (app.add_consents).
-- Locks: the consents, by member and template.
create or replace function app.lock_consents(p_uids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.message_consents as c where c.uid = any (p_uids) order by c.uid, c.template_id for no key update;
end
$$;

comment on function app.lock_consents is 'Locks the consents of members, before their messages take any.';

-- The position and the messages are written in one transaction, so each event is told once. A position is before what
-- is not committed yet (app.events_after).
-- Locks: the position, for which concurrent calls wait, and the consents (app.lock_consents); then see
-- app.write_messages.
-- Idempotent: what is told is behind the position.
create or replace function app.tell_members(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_told app.told_events;
  v_events app.events[];
  v_last app.events;
  v_uids bigint[];
begin
  insert into app.told_events (era, xid, event_id)
  select c.era, pg_snapshot_xmin(pg_current_snapshot()), 0 from app.current_era() as c
  on conflict do nothing;
  select t.* into v_told from app.told_events as t for update;
  if v_told.uid is not null then
    -- Row order: the key of one event.
    select e.* into v_last from app.events as e where (e.era, e.xid, e.id) = (v_told.era, v_told.xid, v_told.event_id);
    v_uids := array(select i.uid from app.inboxes as i where i.uid > v_told.uid order by i.uid limit p_limit);
    perform app.lock_consents(v_uids);
    perform app.write_messages(v_last, i, p_now) from app.inboxes as i
    where i.uid = any (v_uids) and v_last.id is not null;
    update app.told_events set uid = case when cardinality(v_uids) = p_limit then v_uids[p_limit] end where id;
    return p_limit;
  end if;
  v_events := array(
    select e from app.events_after(v_told.era, v_told.xid, v_told.event_id, p_limit) as e order by e.era, e.xid, e.id
  );
  if cardinality(v_events) = 0 then
    return 0;
  end if;
  -- Up to the first release, which is told to many members.
  v_events := v_events[: coalesce(
    (
      select min(n.place) from generate_subscripts(v_events, 1) as n (place)
      where (v_events[n.place]).type = 'points.released'
    ),
    cardinality(v_events)
  )];
  v_last := v_events[cardinality(v_events)];
  perform app.lock_consents(
    array(select (v_events[n.place]).uid from generate_subscripts(v_events, 1) as n (place) order by n.place)
  );
  perform app.write_messages(e.event, e.inbox, p_now)
  from (
    select v_events[n.place] as event, i as inbox
    from generate_subscripts(v_events, 1) as n (place) join app.inboxes as i on i.uid = (v_events[n.place]).uid
    order by n.place
  ) as e;
  update app.told_events
  set era = v_last.era, xid = v_last.xid, event_id = v_last.id,
    uid = case when v_last.type = 'points.released' then 0 end
    where id;
  return case when v_last.type = 'points.released' then p_limit else cardinality(v_events) end;
end
$$;

comment on function app.tell_members is
  'Writes the messages of up to p_limit events, or of a release for up to p_limit members. Returns how many it has '
  'handled; fewer than p_limit: all. Events from before the first call are not told.';

-- Idempotent, also when it runs concurrently: see app.tell_members.
create or replace procedure app.tell_notices()
language plpgsql
as $$
declare
  v_run record := app.begin_run('tell_notices', 1000);
begin
  commit;
  while app.tell_members(app.trusted_time(null), v_run.batch) >= v_run.batch loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.tell_notices is
  'Writes the messages of events that are not told yet, in batches with a commit each.';

create or replace function app.message_json(p_kind text, p_event app.events, p_inbox app.inboxes, p_appid text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'language', p_inbox.language, 'site_name', s.site_name, 'time_zone', s.time_zone, 'url', s.h5_share_url, 'notice',
    app.inbox_notice_json(u.uid, p_event)
  ) || case p_kind
    when 'member_mail' then (
      select jsonb_build_object('to', m.address) from app.mail_address(u.auth_id) as m (address)
      where m.address is not null and t.topic = any (p_inbox.email)
    )
    else (
      select jsonb_build_object('openid', w.openid, 'template_id', p.template_id, 'data', p.data)
      from app.message_templates as p join app.wechat_accounts as w on w.auth_id = u.auth_id and w.appid = p_appid
      where p.type = p_event.type and p.problem is null and t.topic = any (p_inbox.wechat)
    )
  end
  from app.users as u cross join app.settings as s cross join app.notice_types() as t
  where u.uid = p_inbox.uid and u.auth_id is not null and t.type = p_event.type
$$;

comment on function app.message_json is
  'Returns what a message says and to whom it goes; null if its member no longer wants it or cannot get it.';

-- Not idempotent: each call gives one back.
create or replace function app.return_consent(p_uid bigint, p_type text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.message_consents as c set consents = least(c.consents + 1, 100)
  from app.message_templates as t where t.type = p_type and c.uid = p_uid and c.template_id = t.template_id
$$;

comment on function app.return_consent is 'Gives back the consent that a message took which is not sent.';

-- Locks: the row of the outbox.
-- Idempotent: a message of WeChat that was begun before is not begun again. Its outcome is unknown then, and WeChat
-- would show a repeated one twice.
create or replace function app.begin_message(p_kind text, p_notice text, p_uid bigint, p_appid text, p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_row app.outbox;
  v_event app.events;
  v_message jsonb;
begin
  select o.* into v_row from app.outbox as o
  where o.kind = p_kind and o.kind in ('member_mail', 'member_wechat') and o.key = p_notice || '_' || p_uid for update;
  if not found then
    return null;
  end if;
  if app.after_quiet_hours(p_now) > p_now then
    update app.outbox as o set run_after = app.after_quiet_hours(p_now) where o.id = v_row.id;
    return null;
  end if;
  -- Row order: the key of one event.
  select e.* into v_event from app.read_event_cursor(p_notice) as c
  join app.events as e on (e.era, e.xid, e.id) = (c.era, c.xid, c.id);
  -- An order that has expired is told so by another notice.
  if v_event.id is not null and not v_row.payload ? 'begun'
    and (v_event.payload ->> 'expires_at')::timestamptz > p_now is not false then
    v_message := app.message_json(p_kind, v_event, app.inbox_of(p_uid), p_appid);
  end if;
  if v_message is null then
    perform app.return_consent(p_uid, v_event.type) where p_kind = 'member_wechat' and not v_row.payload ? 'begun';
    perform app.finish_outbox(p_kind, v_row.key);
    return null;
  end if;
  update app.outbox as o set payload = o.payload || '{"begun": true}'
  where o.id = v_row.id and p_kind = 'member_wechat';
  return v_message;
end
$$;

comment on function app.begin_message is
  'Returns a message that is to be sent now (app.message_json). Null within the quiet hours, at whose end it becomes '
  'due, and if it is not to be sent any more, which removes it from the outbox.';

-- Locks: the row of the outbox, then the settings and the templates, or the consents.
-- Idempotent: a finished message is gone.
create or replace function app.record_message(p_kind text, p_notice text, p_uid bigint, p_result text, p_problem text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key constant text := p_notice || '_' || p_uid;
  v_template app.message_templates;
begin
  if p_result is null
    or p_result not in ('sent', 'unknown', 'not_sent', 'no_consent', 'no_template', 'no_receiver') then
    perform app.fail('invalid_argument', 'There is no such result of a message.');
  end if;
  perform from app.outbox as o where o.kind = p_kind and o.kind in ('member_mail', 'member_wechat') and o.key = v_key
  for update;
  if not found then
    return;
  end if;
  if p_result = 'not_sent' then
    update app.outbox as o set payload = o.payload - 'begun' where o.kind = p_kind and o.key = v_key;
    return;
  end if;
  -- Row order: the key of one event, whose type has one template.
  select t.* into v_template
  from app.read_event_cursor(p_notice) as c
  join app.events as e on (e.era, e.xid, e.id) = (c.era, c.xid, c.id)
  join app.message_templates as t on t.type = e.type
  where p_kind = 'member_wechat';
  if p_result = 'no_template' then
    perform from app.message_settings as m where m.id for update;
    update app.message_templates as t set problem = left(p_problem, 200) where t.template_id = v_template.template_id;
    perform app.return_consent(p_uid, v_template.type);
  elsif p_result = 'no_consent' then
    update app.message_consents as c set consents = 0 where c.uid = p_uid and c.template_id = v_template.template_id;
  end if;
  perform app.finish_outbox(p_kind, v_key);
end
$$;

comment on function app.record_message is
  'Records how sending a message ended. not_sent: certainly not, so it is repeated. All other results remove it. '
  'no_consent also sets the consents to 0; no_template gives the consent back and stops the template until it is '
  'saved again. Raises invalid_argument.';

create or replace function app.consents_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'type', t.type, 'topic', n.topic, 'template_id', t.template_id, 'consents', coalesce(c.consents, 0)
      )
      order by n.place
    ),
    '[]'
  )
  from app.message_templates as t
  join app.notice_types() with ordinality as n (type, topic, place) on n.type = t.type
  left join app.message_consents as c on c.uid = p_uid and c.template_id = t.template_id
  where t.problem is null
$$;

comment on function app.consents_json is
  'Returns the types of notices with a template of WeChat, and how many messages of each a member has agreed to.';

-- Locks: the consents of the member for the templates, in their order.
-- Not idempotent: each answer of a member to WeChat counts. The Idempotency-Key of the request makes it so.
create or replace function app.add_consents(p_uid bigint, p_answers jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(p_answers) is distinct from 'object' or (select count(*) from jsonb_object_keys(p_answers)) > 10 then
    perform app.fail(
      'invalid_argument', 'answers has up to ten templates, each with the answer of WeChat.', '/answers'
    );
  end if;
  -- The messages are told to members with an inbox.
  insert into app.inboxes (uid) values (p_uid) on conflict do nothing;
  insert into app.message_consents as c (uid, template_id, consents)
  select p_uid, a.key, 1
  from jsonb_each_text(p_answers) as a
  where a.value = 'accept' and exists (select from app.message_templates as t where t.template_id = a.key)
  order by a.key
  on conflict (uid, template_id) do update set consents = least(c.consents + 1, 100);
end
$$;

comment on function app.add_consents is
  'Counts the consents of a member from the answers of wx.requestSubscribeMessage by template: accept is one message, '
  'all else none. Raises invalid_argument.';

-- Precondition: the caller holds the settings.
create or replace function app.set_templates(p_templates jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_template record;
  v_types text[] := array[]::text[];
begin
  for v_template in
    select t.value ->> 'type' as type, t.value ->> 'template_id' as template_id, t.value -> 'data' as data,
      t.place - 1 as at
    from jsonb_array_elements(p_templates) with ordinality as t (value, place) order by t.place
  loop
    if v_template.type = any (v_types)
      or not exists (select from app.notice_types() as n where n.type = v_template.type) then
      perform app.fail(
        'invalid_argument', 'A template is for a type of notice, and each type has one at most.',
        format('/templates/%s/type', v_template.at)
      );
    elsif coalesce(v_template.template_id, '') !~ '^[\w-]{1,64}$' then
      perform app.fail(
        'invalid_argument', 'The id of a template has up to 64 letters, digits, - and _.',
        format('/templates/%s/template_id', v_template.at)
      );
    elsif jsonb_typeof(v_template.data) is distinct from 'object'
      or (select count(*) from jsonb_object_keys(v_template.data)) not between 1 and 10
      or exists (
        select from jsonb_each_text(v_template.data) as d
        where d.key !~ '^[a-z_]{1,32}[0-9]{1,3}$' or d.value is null or d.value <> all (app.message_parts())
      ) then
      perform app.fail(
        'invalid_argument', 'A template has up to ten fields such as thing1, each with what it says.',
        format('/templates/%s/data', v_template.at)
      );
    end if;
    v_types := v_types || v_template.type;
    insert into app.message_templates (type, template_id, data) values (
      v_template.type, v_template.template_id, v_template.data
    )
    on conflict (type) do update set template_id = excluded.template_id, data = excluded.data, problem = null;
  end loop;
end
$$;

comment on function app.set_templates is
  'Sets templates of WeChat, each for its type, and clears their problems. Raises invalid_argument.';

-- Only what is named is changed, so two administrators keep what the other has set.
-- Locks: the row of the settings, for which everyone who changes templates waits; then the templates.
-- Idempotent: the same settings again change nothing, except that problems of the named templates are forgotten.
create or replace function app.set_messages(p_quiet_from text, p_quiet_until text, p_templates jsonb, p_removed jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(p_quiet_from, '') !~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'
    or coalesce(p_quiet_until, '') !~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$' then
    perform app.fail('invalid_argument', 'A time of day has the form 22:00.', '/quiet_from');
  elsif (p_quiet_from is null) <> (p_quiet_until is null) or (p_quiet_from = '') <> (p_quiet_until = '')
    or p_quiet_from = p_quiet_until and p_quiet_from <> '' then
    perform app.fail('invalid_argument', 'Quiet hours have a beginning and another end, or neither.', '/quiet_until');
  elsif jsonb_typeof(p_templates) is distinct from 'array' or jsonb_array_length(p_templates) > 100 then
    perform app.fail(
      'invalid_argument', 'templates is a list with one template for a type of notice at most.', '/templates'
    );
  elsif jsonb_typeof(p_removed) is distinct from 'array' or jsonb_array_length(p_removed) > 100 then
    perform app.fail('invalid_argument', 'removed is a list of types of notices.', '/removed');
  end if;
  perform from app.message_settings as m where m.id for update;
  if p_quiet_from is not null then
    update app.message_settings set quiet_from = nullif(p_quiet_from, '')::time,
      quiet_until = nullif(p_quiet_until, '')::time
    where id;
  end if;
  delete from app.message_templates as t where p_removed ? t.type;
  perform app.set_templates(p_templates);
end
$$;

comment on function app.set_messages is
  'Sets the quiet hours (both empty: none; both null: as they are), and removes and sets templates of WeChat; others '
  'stay. Raises invalid_argument.';

create or replace function app.messages_json()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'quiet_from', to_char(m.quiet_from, 'HH24:MI'), 'quiet_until', to_char(m.quiet_until, 'HH24:MI'), 'is_mail_set_up',
    app.mail_is_set_up(),
    'is_mini_program_set_up',
    exists (select from app.function_settings as f where 'STORE_WECHAT_MINI_APPID' = any (f.variables)),
    'templates', (
      select coalesce(
        jsonb_agg(
          jsonb_build_object('type', t.type, 'template_id', t.template_id, 'data', t.data, 'problem', t.problem)
          order by n.place
        ),
        '[]'
      )
      from app.message_templates as t
      join app.notice_types() with ordinality as n (type, topic, place) on n.type = t.type
    )
  )
  from app.message_settings as m
$$;

comment on function app.messages_json is
  'Returns the settings of messages to members: quiet hours, templates of WeChat, and which channels are set up.';

grant execute on function app.messages_json() to store_admin;
