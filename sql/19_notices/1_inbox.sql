-- The inbox of a member: which events are notices, what the member has read and chosen, and the list and the count that
-- follow from both. No notice is stored (docs/decisions/0104).

-- Types that are missing here tell members nothing; test/contract/notice_texts lists them with the reason.
create or replace function app.notice_types()
returns table (type text, topic text)
language sql
immutable
parallel safe
rows 33
as $$
  values
    ('order.paid', 'orders'), ('order.shipped', 'orders'), ('order.parcel_added', 'orders'),
      ('order.received', 'orders'),
    ('order.expiring', 'orders'), ('order.expired', 'orders'), ('order.cancelled', 'orders'),
    ('refund.requested', 'refunds'), ('refund.refunded', 'refunds'), ('refund.partly_refunded', 'refunds'),
    ('refund.refused', 'refunds'),
    ('refund.taken_back', 'refunds'), ('refund.return_requested', 'refunds'),
    ('refund.return_sent', 'refunds'), ('refund.return_received', 'refunds'),
    ('commission.earned', 'commission'), ('commission.reversed', 'commission'), ('commission.matured', 'commission'),
    ('commission.held', 'commission'), ('commission.released', 'commission'),
    ('withdrawal.requested', 'withdrawals'), ('withdrawal.approved', 'withdrawals'), ('withdrawal.paid', 'withdrawals'),
    ('withdrawal.failed', 'withdrawals'), ('withdrawal.refused', 'withdrawals'), ('adjustment.booked', 'withdrawals'),
    ('member.referred', 'team'), ('level.reached', 'team'), ('profile.nickname_replaced', 'team'),
    ('profile.avatar_removed', 'team'),
    ('person.request_done', 'team'), ('person.request_refused', 'team'), ('name.checked', 'withdrawals'),
    ('name.refused', 'withdrawals'), ('points.released', 'points')
$$;

comment on function app.notice_types is
  'Returns the types of events that are notices for a member, each with its topic.';

grant execute on function app.notice_types() to store_admin;

create or replace function app.notice_topics()
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select '{orders, refunds, commission, withdrawals, team, points}'::text[]
$$;

comment on function app.notice_topics is 'Returns the topics of notices, in the order in which lists show them.';

create table app.inboxes (
  uid bigint primary key references app.users (uid) on delete cascade,
  read_era integer not null default 0,
  read_snapshot pg_snapshot not null default '1:1:',
  inbox text[] not null default app.notice_topics(),
  email text[] not null default '{}',
  wechat text[] not null default app.notice_topics(),
  language text not null default 'zh',
  constraint every_topic_is_known check (inbox || email || wechat <@ app.notice_topics()),
  constraint language_is_known check (language in ('en', 'zh'))
);
comment on table app.inboxes is
  'What members have read and chosen of their notices. No row: nothing read, everything in the inbox, and no messages.';
comment on column app.inboxes.read_snapshot is
  'When the member last marked all as read: every event in this snapshot of read_era, and of earlier eras, is read.';
comment on column app.inboxes.inbox is 'The topics that the inbox shows.';
comment on column app.inboxes.email is 'The topics that also come by email.';
comment on column app.inboxes.wechat is
  'The topics that also come as messages of the mini program, as far as the member has consented '
  '(app.message_consents).';
comment on column app.inboxes.language is 'The language of mails.';

create table app.read_notices (
  uid bigint not null references app.users (uid) on delete cascade,
  era integer not null,
  xid xid8 not null,
  id bigint not null,
  add_time timestamptz not null,
  primary key (uid, era, xid, id)
);
comment on table app.read_notices is
  'Notices that members have read one by one since they last marked all as read, by the key of the event.';

create index read_notices_add_time_idx on app.read_notices (add_time);

alter table app.inboxes enable row level security;
alter table app.read_notices enable row level security;
create policy admins_read_all_inboxes on app.inboxes for select to store_admin, service_role using (true);
create policy admins_read_all_read_notices on app.read_notices for select to store_admin, service_role using (true);
grant select on app.inboxes, app.read_notices to store_admin, service_role;

create or replace function app.inbox_of(p_uid bigint)
returns app.inboxes
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_inbox app.inboxes;
begin
  select i.* into v_inbox from app.inboxes as i where i.uid = p_uid;
  if not found then
    v_inbox.uid := p_uid;
    v_inbox.read_era := 0;
    v_inbox.read_snapshot := '1:1:';
    v_inbox.inbox := app.notice_topics();
    v_inbox.email := '{}';
    v_inbox.wechat := app.notice_topics();
    v_inbox.language := 'zh';
  end if;
  return v_inbox;
end
$$;

comment on function app.inbox_of is 'Returns the row of a member in app.inboxes, or what holds without one.';

create or replace function app.was_before(p_era integer, p_snapshot pg_snapshot, p_event_era integer, p_event_xid xid8)
returns boolean
language sql
immutable
as $$
  select p_event_era < p_era or p_event_era = p_era and pg_catalog.pg_visible_in_snapshot(p_event_xid, p_snapshot)
$$;

comment on function app.was_before is 'Returns whether a snapshot of an era has the events of a transaction.';

-- What members do themselves they know. The subject of a new direct member is who acted.
create or replace function app.is_notice(p_type text, p_cause text, p_types text[])
returns boolean
language sql
immutable
as $$
  select p_type = any (p_types) and (p_cause <> 'member' or p_type = 'member.referred')
$$;

comment on function app.is_notice is 'Returns whether an event is a notice of one of these types for its member.';

create or replace function app.types_of(p_topics text[])
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select array(select t.type from app.notice_types() as t where t.topic = any (p_topics) order by t.type)
$$;

comment on function app.types_of is 'Returns the types of notices that have one of these topics.';

-- One event tells all members of a release; its log says whom it gave what.
-- A notice of every night would bury the others, so the last release of a week tells of all seven.
create or replace function app.week_of_release(p_uid bigint, p_event app.events)
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select nullif(sum(l.release_points), 0)
  from (
    select case p_event.type when 'points.released' then to_date(p_event.subject_id::text, 'YYYYMMDD') end as last_day
  ) as d
  cross join lateral app.releases(d.last_day - 6, d.last_day) as l
  where extract(isodow from d.last_day) = 7 and l.uid = p_uid
$$;

comment on function app.week_of_release is
  'Returns what the releases of a week, from Monday to Sunday, gave a member, if the event is the release of its Sunday; '
  'null if it is another event, or if they gave nothing.';

-- Two parts, so that each is read by its index, from its end.
create or replace function app.notices_before(
  p_uid bigint, p_types text[], p_era integer, p_xid xid8, p_id bigint, p_limit integer
)
returns setof app.events
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select n.*
  from (
    (
      select e.* from app.events as e
      where e.uid = p_uid and (e.era, e.xid, e.id) < (p_era, p_xid, p_id) and app.is_notice(e.type, e.cause, p_types)
      order by e.era desc, e.xid desc, e.id desc limit p_limit
    )
    union all
    (
      select e.* from app.events as e
      where e.type = 'points.released' and e.type = any (p_types) and (e.era, e.xid, e.id) < (p_era, p_xid, p_id)
        and app.week_of_release(p_uid, e) > 0
      order by e.era desc, e.xid desc, e.id desc limit p_limit
    )
  ) as n
  order by n.era desc, n.xid desc, n.id desc
  limit p_limit
$$;

comment on function app.notices_before is
  'Returns up to p_limit notices of a member before a position, the newest first.';

create or replace function app.most_unread()
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 100
$$;

comment on function app.most_unread is 'Returns up to how many unread notices are counted.';

-- What was open when all was marked as read has a number from the beginning of that snapshot on, so only later events
-- are read.
create or replace function app.count_unread(p_uid bigint)
returns integer
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_inbox constant app.inboxes := app.inbox_of(p_uid);
  v_types constant text[] := app.types_of(v_inbox.inbox);
  v_from constant xid8 := pg_snapshot_xmin(v_inbox.read_snapshot);
begin
  return (
    select count(*)
    from (
      select
      from (
        select e.era, e.xid, e.id from app.events as e
        where e.uid = p_uid and (e.era, e.xid) >= (v_inbox.read_era, v_from) and app.is_notice(e.type, e.cause, v_types)
        union all
        select e.era, e.xid, e.id from app.events as e
        where e.type = 'points.released' and e.type = any (v_types) and (e.era, e.xid) >= (v_inbox.read_era, v_from)
          and app.week_of_release(p_uid, e) > 0
      ) as n
      where not app.was_before(v_inbox.read_era, v_inbox.read_snapshot, n.era, n.xid)
        and not exists (
          select from app.read_notices as r where (r.uid, r.era, r.xid, r.id) = (p_uid, n.era, n.xid, n.id)
        )
      limit app.most_unread()
    ) as u
  );
end
$$;

comment on function app.count_unread is
  'Returns how many notices a member has not read, of the topics of the inbox, at most app.most_unread().';

create or replace function app.unread_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('unread', c.unread, 'is_more', c.unread = app.most_unread())
  from app.count_unread(p_uid) as c (unread)
$$;

comment on function app.unread_json is 'Returns {unread, is_more} (app.count_unread). is_more: there may be more.';

create or replace function app.inbox_notice_json(p_uid bigint, p_event app.events)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', app.event_cursor(p_event), 'type', p_event.type, 'topic', t.topic, 'subject', p_event.subject, 'subject_id',
    p_event.subject_id,
    'name', case
      when p_event.subject = 'order' then (select o.order_no from app.orders as o where o.id = p_event.subject_id)
      when p_event.type = 'member.referred' then (
        select nullif(u.nickname, '') from app.users as u where u.uid = p_event.subject_id
      )
    end,
    'add_time', app.utc(p_event.add_time),
    'payload', case p_event.type
      when 'points.released' then jsonb_build_object(
        'release_date', p_event.payload -> 'release_date', 'points', trim_scale(app.week_of_release(p_uid, p_event))
      )
      when 'level.reached' then p_event.payload || (
        select jsonb_build_object('level', l.name, 'level_zh', l.name_zh) from app.agent_levels as l
        where l.grade = (p_event.payload ->> 'to_level')::integer
      )
      when 'commission.earned' then p_event.payload || coalesce((
        select jsonb_build_object('buyer', u.nickname)
        from app.orders as o join app.users as u on u.uid = o.uid
        where o.id = p_event.subject_id and u.nickname <> ''
      ), '{}')
      else p_event.payload
    end
  )
  from app.notice_types() as t where t.type = p_event.type
$$;

comment on function app.inbox_notice_json is
  'Returns a notice as its member sees it: the event, with its topic, the number of an order or the name of a new '
  'member, the name of a level, the buyer whose order earned commission, and what the releases of a week gave them.';

create or replace function app.inbox_json(p_uid bigint, p_before text, p_limit integer)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_inbox constant app.inboxes := app.inbox_of(p_uid);
  v_position record;
begin
  perform app.check_page(1, p_limit);
  select c.era, c.xid, c.id into v_position from app.read_event_cursor(coalesce(p_before, '2147483647_0_0')) as c;
  if v_position.era is null then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end if;
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(app.inbox_notice_json(p_uid, e) || jsonb_build_object(
        'is_read', app.was_before(v_inbox.read_era, v_inbox.read_snapshot, e.era, e.xid)
          or exists (select from app.read_notices as r where (r.uid, r.era, r.xid, r.id) = (p_uid, e.era, e.xid, e.id))
      ) order by e.era desc, e.xid desc, e.id desc), '[]'),
      'next_cursor', (array_agg(app.event_cursor(e) order by e.era desc, e.xid desc, e.id desc))[p_limit],
      'seen', (select format('%s_%s', c.era, pg_current_snapshot()) from app.current_era() as c)
    )
    from app.notices_before(
      p_uid, app.types_of(v_inbox.inbox), v_position.era, v_position.xid, v_position.id, p_limit
    ) as e
  ) || app.unread_json(p_uid);
end
$$;

comment on function app.inbox_json is
  'Returns a page of the notices of a member before p_before, newest first: {list, next_cursor, seen, unread, '
  'is_more}. seen is for app.read_all_notices. Raises invalid_argument for another cursor.';

-- A snapshot is later if its end, or else its beginning, is later, or if fewer transactions are open in it.
-- Locks: the inbox of the member.
-- Idempotent: an earlier snapshot changes nothing, so of two devices the later reading holds.
create or replace function app.read_all_notices(p_uid bigint, p_seen text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_era integer;
  v_snapshot pg_snapshot;
begin
  begin
    v_era := split_part(p_seen, '_', 1)::integer;
    v_snapshot := split_part(p_seen, '_', 2)::pg_snapshot;
    if p_seen <> format('%s_%s', v_era, v_snapshot) then
      v_era := null;
    end if;
  exception when data_exception then
    v_era := null;
  end;
  if v_era is null or exists (
    select from app.current_era() as c
    where c.era < v_era or c.era = v_era and pg_snapshot_xmax(v_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
  ) then
    perform app.fail('invalid_argument', 'seen was not returned by the list of notices.', '/seen');
  end if;
  insert into app.inboxes as i (uid, read_era, read_snapshot) values (p_uid, v_era, v_snapshot)
  on conflict (uid) do update set read_era = excluded.read_era, read_snapshot = excluded.read_snapshot
  where (
    i.read_era, pg_snapshot_xmax(i.read_snapshot), pg_snapshot_xmin(i.read_snapshot),
    -(select count(*) from pg_snapshot_xip(i.read_snapshot))
  )
    < (
      excluded.read_era, pg_snapshot_xmax(excluded.read_snapshot), pg_snapshot_xmin(excluded.read_snapshot),
      -(select count(*) from pg_snapshot_xip(excluded.read_snapshot))
    );
  delete from app.read_notices as r using app.inboxes as i
  where i.uid = p_uid and r.uid = p_uid and app.was_before(i.read_era, i.read_snapshot, r.era, r.xid);
end
$$;

comment on function app.read_all_notices is
  'Marks as read what a member had before them with p_seen (app.inbox_json). What was committed later stays unread. '
  'Raises invalid_argument.';

-- Idempotent: what is read stays read, whichever device marks it.
create or replace function app.read_notice(p_uid bigint, p_id text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_inbox constant app.inboxes := app.inbox_of(p_uid);
  v_event app.events;
begin
  -- Row order: the key of one event.
  select e.* into v_event from app.read_event_cursor(p_id) as c
  join app.events as e on (e.era, e.xid, e.id) = (c.era, c.xid, c.id)
  where app.is_notice(e.type, e.cause, app.types_of(app.notice_topics()))
    and (e.uid = p_uid or app.week_of_release(p_uid, e) > 0);
  if not found then
    perform app.fail('notice_not_found');
  end if;
  insert into app.read_notices (uid, era, xid, id, add_time)
  select p_uid, v_event.era, v_event.xid, v_event.id, p_now
  where not app.was_before(v_inbox.read_era, v_inbox.read_snapshot, v_event.era, v_event.xid)
  on conflict do nothing;
end
$$;

comment on function app.read_notice is
  'Marks one notice of a member as read. Raises notice_not_found if it is not theirs or no longer kept.';

create or replace function app.mail_address(p_auth_id uuid)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select u.email from auth.users as u
  where u.id = p_auth_id and u.email_confirmed_at is not null and u.email not like '%.invalid' and u.deleted_at is null
    and (u.banned_until is null or u.banned_until < now())
$$;

comment on function app.mail_address is
  'Returns the confirmed email address of an account; null if there is none that takes mails.';

-- Precondition: topics that are no list are rejected by the caller.
create or replace function app.topic_list(p_topics jsonb)
returns text[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select n.topic from unnest(app.notice_topics()) with ordinality as n (topic, place) where p_topics ? n.topic
    order by n.place
  )
$$;

comment on function app.topic_list is 'Returns the topics of notices that a JSON array names, in their order.';

-- Locks: the inbox of the member.
-- Idempotent: the same choices again change nothing.
create or replace function app.choose_notices(p_uid bigint, p_topics jsonb, p_language text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_channel text;
begin
  foreach v_channel in array '{inbox, email, wechat}'::text[] loop
    if jsonb_typeof(p_topics -> v_channel) is distinct from 'array'
      or cardinality(app.topic_list(p_topics -> v_channel)) <> jsonb_array_length(p_topics -> v_channel) then
      perform app.fail('invalid_argument', 'Name different topics of notices.', '/' || v_channel);
    end if;
  end loop;
  if coalesce(p_language, '') not in ('en', 'zh') then
    perform app.fail('invalid_argument', 'The language is en or zh.', '/language');
  end if;
  insert into app.inboxes (uid, inbox, email, wechat, language)
  values (
    p_uid, app.topic_list(p_topics -> 'inbox'), app.topic_list(p_topics -> 'email'),
    app.topic_list(p_topics -> 'wechat'), p_language
  )
  on conflict (uid) do update set inbox = excluded.inbox, email = excluded.email, wechat = excluded.wechat,
    language = excluded.language;
end
$$;

comment on function app.choose_notices is
  'Sets the topics of a member by channel, {inbox, email, wechat} with a list each, and the language of mails. Raises '
  'invalid_argument.';
