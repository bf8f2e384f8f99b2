-- Webhooks: which events go to which addresses of other systems, one delivery for each event and address, and the order
-- in which they are sent. docs/webhooks.md says what receivers rely on; docs/decisions/0140 says why deliveries are
-- rows, written by a job that follows the events.

create or replace function app.is_webhook_address(p_text text)
returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_text ~ '^https://[^/?#@[:space:]]+([/?][^#[:space:]]*)?$' and app.is_line(p_text)
    and char_length(p_text) <= 500
$$;

comment on function app.is_webhook_address is
  'Returns whether a text can be the address of a webhook: https, no user or fragment, at most 500 characters. Null '
  'for null.';

create table app.webhooks (
  id bigint generated always as identity primary key,
  url text not null,
  description text not null,
  types text[] not null,
  version smallint not null default 1,
  state text not null default 'on',
  salt text not null,
  salted_at timestamptz not null,
  former_salt text,
  former_ends_at timestamptz,
  failing_since timestamptz,
  created_by uuid not null,
  created_at timestamptz not null,
  since_era integer,
  since pg_snapshot,
  constraint url_is_an_address_of_https check (app.is_webhook_address(url)),
  constraint description_is_a_short_line check (app.is_line(description) and char_length(description) <= 64),
  constraint one_to_a_hundred_types_are_chosen check (cardinality(types) between 1 and 100),
  constraint no_type_is_null check (array_position(types, null) is null),
  constraint version_is_known check (version = 1),
  constraint state_is_known check (state in ('on', 'off', 'gone', 'failing')),
  constraint salts_are_random_texts check (salt ~ '^[0-9a-f]{32}$' and former_salt ~ '^[0-9a-f]{32}$'),
  constraint former_secret_ends check ((former_salt is null) = (former_ends_at is null))
);
comment on table app.webhooks is 'Addresses of other systems that get events.';
comment on column app.webhooks.types is 'The types of events that it gets.';
comment on column app.webhooks.version is 'The form of the bodies that it gets (app.webhook_body).';
comment on column app.webhooks.state is
  'on, or why nothing is sent: off (by an administrator), gone (it answered 410) or failing (nothing succeeded for '
  'app.webhook_patience()).';
comment on column app.webhooks.salt is
  'The edge functions make the secret from it, with a key that the database does not have.';
comment on column app.webhooks.former_salt is 'That of the former secret, which also signs until former_ends_at.';
comment on column app.webhooks.failing_since is
  'The first failure since the last success, or null. Tests do not count.';
comment on column app.webhooks.since is
  'The transactions that had ended when it was made, of since_era. It gets the events of all others. Null: it gets '
  'all.';

create table app.webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references app.webhooks (id) on delete cascade,
  kind text not null,
  era integer,
  xid xid8,
  event_id bigint,
  type text not null,
  subject text,
  subject_id bigint,
  message_id text not null,
  body text not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  run_after timestamptz not null,
  began_at timestamptz,
  last_attempt_at timestamptz,
  ended_at timestamptz,
  status smallint,
  response text,
  problem text,
  created_at timestamptz not null,
  unique (webhook_id, era, xid, event_id, kind),
  constraint kind_is_known check (kind in ('event', 'gap', 'test')),
  constraint all_but_a_test_have_an_event check (
    (kind = 'test') = (event_id is null) and (era is null) = (event_id is null) and (xid is null) = (event_id is null)
  ),
  constraint an_event_has_a_subject check (
    (subject is null) = (event_id is null) and (subject_id is null) = (event_id is null)
  ),
  constraint state_is_known check (state in ('waiting', 'delivered', 'given_up')),
  constraint it_ends_iff_it_does_not_wait check ((ended_at is null) = (state = 'waiting')),
  constraint response_is_a_short_text check (char_length(response) <= 2000),
  constraint problem_is_a_short_text check (char_length(problem) <= 500)
);
comment on table app.webhook_deliveries is
  'One row for each event and webhook, and for each gap marker and test: the body as it is sent, and its outcome.';
comment on column app.webhook_deliveries.kind is
  'event; gap: stands for an event of the subject that was given up; test: tries the address.';
comment on column app.webhook_deliveries.message_id is
  'The header webhook-id: of an event its cursor (app.event_cursor).';
comment on column app.webhook_deliveries.run_after is 'When it is due. A lease moves it to the end of the lease.';
comment on column app.webhook_deliveries.began_at is 'The first of the attempts after which it is given up.';
comment on column app.webhook_deliveries.status is 'The HTTP status of the last answer; null: there was none.';
comment on column app.webhook_deliveries.response is 'The beginning of the last answer.';

create index webhook_deliveries_due_idx on app.webhook_deliveries (webhook_id, run_after, id) where state = 'waiting';
create index webhook_deliveries_subject_idx on app.webhook_deliveries (
  webhook_id, subject, subject_id, era, xid, event_id, kind
)
  where state = 'waiting';
create index webhook_deliveries_test_idx on app.webhook_deliveries (webhook_id)
  where state = 'waiting' and kind = 'test';
create index webhook_deliveries_list_idx on app.webhook_deliveries (webhook_id, id);
create index webhook_deliveries_ended_at_idx on app.webhook_deliveries (ended_at) where state <> 'waiting';

create table app.webhook_position (
  id boolean primary key default true,
  era integer not null,
  xid xid8 not null,
  event_id bigint not null,
  constraint there_is_only_one_row check (id)
);
comment on table app.webhook_position is 'The last event whose deliveries are written. At most one row.';

alter table app.webhooks enable row level security;
alter table app.webhook_deliveries enable row level security;
alter table app.webhook_position enable row level security;

create or replace function app.webhook_patience()
returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select interval '3 days'
$$;

comment on function app.webhook_patience is
  'Returns after how long an event that keeps failing is given up, and a webhook with no success is switched off.';

create or replace function app.webhook_route()
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when not exists (select from app.function_settings as f where 'STORE_WEBHOOK_KEY' = any (f.variables)) then 'off'
    when exists (select from app.function_settings as f where 'STORE_WEBHOOK_PROXY' = any (f.variables)) then 'proxy'
    else 'direct'
  end
$$;

comment on function app.webhook_route is
  'Returns how the worker reaches webhooks: direct, proxy, or off without the key of their secrets.';

create or replace function app.webhook_body(p_type text, p_at timestamptz, p_data jsonb)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select json_build_object('type', p_type, 'timestamp', app.utc(p_at), 'data', p_data)::text
$$;

comment on function app.webhook_body is
  'Returns the body of a delivery, of version 1: {type, timestamp, data}. data of an event is app.event_json.';

-- Most rows do not wait, so the statistics say that none does, and Postgres could as well read all that wait at the
-- webhook. Without sorts, it reads what waits of a subject, here and below, by the index that has its order. An event
-- that fails makes what comes after it of the same subject wait as long.
create or replace function app.subject_due(p_webhook bigint, p_subject text, p_subject_id bigint, p_now timestamptz)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
set enable_sort = off
as $$
  select coalesce(max(o.run_after), p_now)
  from (
    select d.run_after from app.webhook_deliveries as d
    where d.webhook_id = p_webhook and d.subject = p_subject and d.subject_id = p_subject_id and d.state = 'waiting'
    order by d.era, d.xid, d.event_id, d.kind
  ) as o
$$;

comment on function app.subject_due is
  'Returns when a further delivery of a subject is due at a webhook: with the last of those that wait, otherwise at '
  'p_now.';

-- Precondition: the caller holds the webhooks, so that none is deleted meanwhile.
-- Idempotent: an event has one delivery at a webhook.
create or replace function app.add_deliveries(
  p_events app.events[], p_webhooks bigint[], p_earlier boolean, p_now timestamptz
)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.webhook_deliveries (
    webhook_id, kind, era, xid, event_id, type, subject, subject_id, message_id, body, run_after, created_at
  )
  select w.id, 'event', e.era, e.xid, e.id, e.type, e.subject, e.subject_id, app.event_cursor(e),
    app.webhook_body(e.type, e.add_time, app.event_json(e)),
    app.subject_due(w.id, e.subject, e.subject_id, p_now), p_now
  from unnest(p_events) as e join app.webhooks as w on w.id = any (p_webhooks) and e.type = any (w.types)
  where p_earlier or (e.era < w.since_era or e.era = w.since_era and pg_visible_in_snapshot(e.xid, w.since)) is not true
  order by e.era, e.xid, e.id, w.id
  on conflict (webhook_id, era, xid, event_id, kind) do nothing
$$;

comment on function app.add_deliveries is
  'Writes the deliveries of events at the webhooks that have chosen their types; events from before a webhook only '
  'with p_earlier.';

-- Idempotent: a position that there is stays.
create or replace function app.lock_webhook_position()
returns app.webhook_position
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position app.webhook_position;
begin
  insert into app.webhook_position (era, xid, event_id)
  select c.era, pg_snapshot_xmin(pg_current_snapshot()), 0 from app.current_era() as c
  on conflict do nothing;
  select p.* into v_position from app.webhook_position as p for update;
  return v_position;
end
$$;

comment on function app.lock_webhook_position is
  'Locks the position up to which deliveries are written, and returns it. The first one is before all open '
  'transactions.';

-- The position and the deliveries are written in one transaction, so each event is written once, and none is missed: a
-- position is before what is not committed yet (app.events_after).
-- Locks: the position, for which concurrent calls wait; then the webhooks.
-- Idempotent: what is written is behind the position.
create or replace function app.follow_events(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position app.webhook_position := app.lock_webhook_position();
  v_webhooks bigint[];
  v_events app.events[];
  v_last app.events;
begin
  -- In one statement, so that no event falls between the webhook that did not exist and the position.
  update app.webhook_position set (era, xid, event_id) = (
    select c.era, pg_snapshot_xmin(pg_current_snapshot()), 0 from app.current_era() as c
  )
  where not exists (select from app.webhooks as w where w.state = 'on');
  if found then
    return 0;
  end if;
  -- The webhooks after the events: one that was made or switched on meanwhile, as while this waits for a lock, misses
  -- none that is read here.
  v_events := array(
    select e from app.events_after(v_position.era, v_position.xid, v_position.event_id, p_limit) as e
    order by e.era, e.xid, e.id
  );
  v_webhooks := array(select w.id from app.webhooks as w where w.state = 'on' order by w.id for key share);
  if cardinality(v_events) > 0 then
    perform app.add_deliveries(v_events, v_webhooks, false, p_now);
    v_last := v_events[cardinality(v_events)];
    update app.webhook_position set era = v_last.era, xid = v_last.xid, event_id = v_last.id where id;
  end if;
  return cardinality(v_events);
end
$$;

comment on function app.follow_events is
  'Writes the deliveries of up to p_limit events that have none yet, and returns how many events it has read.';

-- Idempotent, also when it runs concurrently: see app.follow_events.
create or replace procedure app.write_deliveries()
language plpgsql
as $$
declare
  v_run record := app.begin_run('write_deliveries', 1000);
begin
  commit;
  while app.follow_events(app.trusted_time(null), v_run.batch) >= v_run.batch loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.write_deliveries is
  'Writes the deliveries of events to webhooks, in batches with a commit each.';

-- Of a webhook that is switched off only a test is sent.
create or replace function app.due_webhooks(p_now timestamptz)
returns setof bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select w.id from app.webhooks as w
  where w.state = 'on'
    and exists (
      select from app.webhook_deliveries as d where d.webhook_id = w.id and d.state = 'waiting' and d.run_after <= p_now
    )
    or exists (
      select from app.webhook_deliveries as d
      where d.webhook_id = w.id and d.state = 'waiting' and d.kind = 'test' and d.run_after <= p_now
    )
  order by w.id
$$;

comment on function app.due_webhooks is 'Returns the webhooks that have deliveries to send.';

-- The first of a subject that waits is sent, so a subject is sent in order, also by several workers.
-- Locks: the leased rows, without waiting.
-- Not idempotent: each call leases other rows. Concurrent calls never lease the same row, and a row whose worker
-- stopped is due again after the lease: it is sent at least once.
create or replace function app.lease_deliveries(p_webhook bigint, p_limit integer, p_now timestamptz)
returns setof app.webhook_deliveries
language sql
volatile
set search_path = pg_catalog, pg_temp
set enable_sort = off
as $$
  update app.webhook_deliveries as d
  set attempts = d.attempts + 1, run_after = p_now + app.lease_duration(), began_at = coalesce(d.began_at, p_now),
    last_attempt_at = p_now
  from (
    select o.id from app.webhook_deliveries as o join app.webhooks as w on w.id = o.webhook_id
    where o.webhook_id = p_webhook and o.state = 'waiting' and o.run_after <= p_now
      and (w.state = 'on' or o.kind = 'test')
      and (o.subject is null or o.id = (
        select b.id from app.webhook_deliveries as b
        where b.webhook_id = p_webhook and b.state = 'waiting' and b.subject = o.subject and b.subject_id = o.subject_id
        order by b.era, b.xid, b.event_id, b.kind limit 1
      ))
    order by o.run_after, o.id
    limit p_limit
    for update of o skip locked
  ) as due
  where d.id = due.id
  returning d.*
$$;

comment on function app.lease_deliveries is
  'Takes up to p_limit due deliveries of a webhook for one worker, of each subject the first, and returns them.';

-- The wait is as long as the attempts have already taken, so it doubles; it needs no count, which a later retry would
-- have to reset.
-- Precondition: the caller holds the webhook.
create or replace function app.postpone_subject(
  p_delivery app.webhook_deliveries, p_retry_after integer, p_now timestamptz
)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
set enable_sort = off
as $$
  update app.webhook_deliveries as d
  set run_after = p_now + least(
    greatest(p_now - p_delivery.began_at, interval '10 seconds', p_retry_after * interval '1 second'),
    interval '6 hours'
  )
  from (
    select b.id from app.webhook_deliveries as b
    where b.webhook_id = p_delivery.webhook_id and b.subject = p_delivery.subject
      and b.subject_id = p_delivery.subject_id and b.state = 'waiting'
    order by b.era, b.xid, b.event_id, b.kind
  ) as o
  where d.id = o.id and d.state = 'waiting'
$$;

comment on function app.postpone_subject is
  'Makes a failed delivery, and those that wait behind it, due again: after 10 seconds, doubled with each attempt, or '
  'p_retry_after seconds if later, at most 6 hours.';

-- Precondition: the caller holds the webhook.
create or replace function app.end_delivery(p_delivery app.webhook_deliveries, p_state text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set enable_sort = off
as $$
begin
  update app.webhook_deliveries as d set state = p_state, ended_at = p_now where d.id = p_delivery.id;
  update app.webhook_deliveries as d set run_after = p_now
  from (
    select b.id from app.webhook_deliveries as b
    where b.webhook_id = p_delivery.webhook_id and b.subject = p_delivery.subject
      and b.subject_id = p_delivery.subject_id and b.state = 'waiting'
    order by b.era, b.xid, b.event_id, b.kind
  ) as o
  where d.id = o.id and d.state = 'waiting' and d.run_after > p_now;
  if p_state = 'given_up' and p_delivery.kind = 'event' then
    insert into app.webhook_deliveries as d (
      webhook_id, kind, era, xid, event_id, type, subject, subject_id, message_id, body, run_after, created_at
    )
    values (
      p_delivery.webhook_id, 'gap', p_delivery.era, p_delivery.xid, p_delivery.event_id, 'webhook.gap',
      p_delivery.subject, p_delivery.subject_id,
      'gap_' || p_delivery.message_id, app.webhook_body('webhook.gap', p_now, jsonb_build_object(
        'subject', p_delivery.subject, 'subject_id', p_delivery.subject_id, 'event_id', p_delivery.event_id, 'type',
        p_delivery.type, 'webhook_id', p_delivery.message_id
      )), p_now, p_now
    )
    on conflict (webhook_id, era, xid, event_id, kind) do update set state = 'waiting', ended_at = null,
      began_at = null, run_after = p_now;
  end if;
end
$$;

comment on function app.end_delivery is
  'Ends a delivery as delivered or given_up, and makes what waits behind it due. A gap marker replaces an event that '
  'is given up.';

-- Locks: the webhook; then its deliveries.
-- Idempotent: an attempt is recorded once. A late call for an earlier lease changes nothing (p_attempt).
create or replace function app.record_attempt(
  p_id bigint, p_attempt integer, p_status integer, p_response text, p_problem text, p_now timestamptz,
  p_retry_after integer default null
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_webhook app.webhooks;
  v_delivery app.webhook_deliveries;
  v_since timestamptz;
begin
  select w.* into v_webhook from app.webhooks as w
  where w.id = (select d.webhook_id from app.webhook_deliveries as d where d.id = p_id) for no key update;
  update app.webhook_deliveries as d
  set status = p_status, response = left(p_response, 2000), problem = left(p_problem, 500)
  where d.id = p_id and d.attempts = p_attempt and d.state = 'waiting'
  returning d.* into v_delivery;
  if not found then
    return;
  end if;
  if p_problem is null then
    update app.webhooks as w set failing_since = null where w.id = v_webhook.id and w.failing_since is not null;
    perform app.end_delivery(v_delivery, 'delivered', p_now);
    return;
  end if;
  -- A test is not repeated, so its failure says nothing about the time after it.
  v_since := coalesce(v_webhook.failing_since, case when v_delivery.kind <> 'test' then p_now end);
  update app.webhooks as w
  set failing_since = v_since,
    state = case
      when w.state <> 'on' then w.state
      when p_status = 410 then 'gone'
      when v_since <= p_now - app.webhook_patience() then 'failing'
      else 'on'
    end
  where w.id = v_webhook.id
  returning w.* into v_webhook;
  if v_delivery.kind = 'test' or v_webhook.state = 'on' and v_delivery.began_at <= p_now - app.webhook_patience() then
    perform app.end_delivery(v_delivery, 'given_up', p_now);
  else
    perform app.postpone_subject(v_delivery, p_retry_after, p_now);
  end if;
end
$$;

comment on function app.record_attempt is
  'Records the outcome of an attempt of a delivery. With a problem, it is sent again later, and given up after '
  'app.webhook_patience(), a test at once. Status 410, or as long without success, switches the webhook off instead.';

create or replace function app.delivery_json(p_delivery app.webhook_deliveries)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_delivery.id, 'kind', p_delivery.kind, 'type', p_delivery.type, 'subject', p_delivery.subject, 'subject_id',
    p_delivery.subject_id,
    'message_id', p_delivery.message_id, 'body', p_delivery.body, 'state', p_delivery.state, 'attempts',
    p_delivery.attempts,
    'run_after', case when p_delivery.state = 'waiting' then app.utc(p_delivery.run_after) end, 'last_attempt_at',
    app.utc(p_delivery.last_attempt_at),
    'ended_at', app.utc(p_delivery.ended_at), 'status', p_delivery.status, 'response', p_delivery.response, 'problem',
    p_delivery.problem,
    'created_at', app.utc(p_delivery.created_at)
  )
$$;

comment on function app.delivery_json is 'Returns a delivery as administrators see it.';

-- Security definer: client roles cannot read the table, which has the salts.
create or replace function app.webhook_name(p_id bigint)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select w.description from app.webhooks as w where w.id = p_id
$$;

comment on function app.webhook_name is 'Returns the description of a webhook, or null.';

grant execute on function app.webhook_name(bigint) to store_admin;
