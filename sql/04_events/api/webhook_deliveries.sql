-- What administrators may call about the deliveries of webhooks, and how the worker sends them.

-- Security definer: client roles cannot read the table.
create or replace function api.get_webhook_deliveries(
  p_id bigint, p_state text default null, p_type text default null, p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('keys');
  if not exists (select from app.webhooks as w where w.id = p_id) then
    perform app.fail('webhook_not_found');
  end if;
  return (
    with matching as not materialized (
      select d.* from app.webhook_deliveries as d
      where d.webhook_id = p_id and (p_state is null or d.state = p_state) and (p_type is null or d.type = p_type)
    )
    select app.list_json(jsonb_agg(app.delivery_json(l) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as l
  );
end
$$;

comment on function api.get_webhook_deliveries is
  'Returns one page of the deliveries of a webhook, newest first. Serves GET /adminapi/webhook/{id}/delivery.';

grant execute on function api.get_webhook_deliveries(bigint, text, text, integer, integer) to store_admin;

-- Locks: the webhook, the delivery.
-- Idempotent: a delivery that waits becomes due now.
create or replace function api.resend_webhook_delivery(p_id bigint, p_delivery bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.webhook_deliveries;
  v_after app.webhook_deliveries;
begin
  perform app.require_admin('keys');
  perform app.lock_webhook(p_id);
  select d.* into v_before from app.webhook_deliveries as d where d.id = p_delivery and d.webhook_id = p_id for update;
  if not found then
    perform app.fail('delivery_not_found');
  end if;
  update app.webhook_deliveries as d set state = 'waiting', ended_at = null, began_at = null,
    run_after = clock_timestamp()
  where d.id = p_delivery returning d.* into v_after;
  perform app.record_action(
    'resend_webhook_delivery', 'webhook', p_id::text,
    jsonb_build_object('webhook_id', v_before.message_id, 'state', v_before.state),
    jsonb_build_object('webhook_id', v_after.message_id, 'state', v_after.state)
  );
  return app.delivery_json(v_after);
end
$$;

comment on function api.resend_webhook_delivery is
  'Sends a delivery again, with the same id and body, and returns it (app.delivery_json). Serves PUT '
  '/adminapi/webhook/{id}/delivery/{delivery}/again.';

grant execute on function api.resend_webhook_delivery(bigint, bigint) to store_admin;

-- Events that are not written yet come by themselves.
create or replace function app.replayed_events(p_webhook app.webhooks, p_from timestamptz, p_to timestamptz)
returns setof app.events
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_events bigint;
begin
  if p_from is null or p_to is null or p_from >= p_to then
    perform app.fail('invalid_argument', 'A period has a beginning and a later end.');
  end if;
  return query
    select e.* from app.events as e join app.webhook_position as p on (e.era, e.xid, e.id) <= (p.era, p.xid, p.event_id)
    where e.add_time >= p_from and e.add_time < p_to and e.type = any (p_webhook.types)
    order by e.add_time, e.id limit 10001;
  get diagnostics v_events = row_count;
  if v_events > 10000 then
    perform app.fail('invalid_argument', 'At most 10000 events are sent again at once. Choose a shorter period.');
  end if;
end
$$;

comment on function app.replayed_events is
  'Returns the events of a period that a webhook has chosen, as far as they are kept and passed to webhooks. Raises '
  'invalid_argument above 10,000.';

-- Security definer: client roles cannot read the tables.
create or replace function api.preview_webhook_replay(p_id bigint, p_from timestamptz, p_to timestamptz)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_webhook app.webhooks;
begin
  perform app.require_admin('keys');
  select w.* into v_webhook from app.webhooks as w where w.id = p_id;
  if not found then
    perform app.fail('webhook_not_found');
  end if;
  return (select jsonb_build_object('events', count(*)) from app.replayed_events(v_webhook, p_from, p_to));
end
$$;

comment on function api.preview_webhook_replay is
  'Returns how many events api.replay_webhook would send again: {events}. Serves GET /adminapi/webhook/{id}/replay.';

grant execute on function api.preview_webhook_replay(bigint, timestamptz, timestamptz) to store_admin;

-- Locks: the webhook; then its deliveries.
-- Idempotent: what waits already stays as it is.
create or replace function api.replay_webhook(p_id bigint, p_from timestamptz, p_to timestamptz, p_events integer)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_webhook app.webhooks;
  v_events app.events[];
begin
  perform app.require_admin('keys');
  v_webhook := app.lock_webhook(p_id);
  v_events := array(select e from app.replayed_events(v_webhook, p_from, p_to) as e order by e.era, e.xid, e.id);
  if p_events is distinct from cardinality(v_events) then
    perform app.fail('changed_meanwhile', format('These are %s events.', cardinality(v_events)));
  end if;
  update app.webhook_deliveries as d set state = 'waiting', ended_at = null, began_at = null, run_after = v_now
  from unnest(v_events) as e
  where d.webhook_id = p_id and d.kind = 'event' and (d.era, d.xid, d.event_id) = (e.era, e.xid, e.id)
    and d.state <> 'waiting';
  perform app.add_deliveries(v_events, array[p_id], true, v_now);
  perform app.record_action(
    'replay_webhook', 'webhook', p_id::text, null,
    jsonb_build_object('from', app.utc(p_from), 'to', app.utc(p_to), 'events', p_events)
  );
  return jsonb_build_object('events', p_events);
end
$$;

comment on function api.replay_webhook is
  'Sends the events of a period to a webhook, again or for the first time: {events}. Raises changed_meanwhile unless '
  'there are as many as p_events, seen in the preview. Serves POST /adminapi/webhook/{id}/replay.';

grant execute on function api.replay_webhook(bigint, timestamptz, timestamptz, integer) to store_admin;

-- Security definer: the worker reads no table.
create or replace function api.get_due_webhooks()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(w order by w), '[]') from app.due_webhooks(clock_timestamp()) as w
$$;

comment on function api.get_due_webhooks is 'Returns the ids of the webhooks that have deliveries to send.';

grant execute on function api.get_due_webhooks() to service_role;

-- Not idempotent: see app.lease_deliveries.
create or replace function api.lease_deliveries(p_webhook bigint, p_limit integer)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  if p_limit is null or p_limit not between 1 and 100 then
    perform app.fail('invalid_argument', 'A worker takes between 1 and 100 rows at a time.');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', d.id, 'attempt', d.attempts, 'message_id', d.message_id, 'url', w.url, 'body', d.body,
      'salts',
      jsonb_build_array(w.salt)
      || case when w.former_ends_at > v_now then jsonb_build_array(w.former_salt) else '[]' end
    ) order by d.id), '[]')
    from app.lease_deliveries(p_webhook, p_limit, v_now) as d join app.webhooks as w on w.id = d.webhook_id
  );
end
$$;

comment on function api.lease_deliveries is
  'Takes up to p_limit due deliveries of a webhook, [{id, attempt, message_id, url, body, salts}]. One without a '
  'recorded outcome is due again after app.lease_duration().';

grant execute on function api.lease_deliveries(bigint, integer) to service_role;

-- Idempotent: see app.record_attempt.
create or replace function api.record_attempt(
  p_id bigint, p_attempt integer, p_status integer default null, p_response text default null,
  p_problem text default null,
  p_retry_after integer default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_status not between 100 and 999 then
    perform app.fail('invalid_argument', 'An HTTP status has three digits.');
  end if;
  perform app.record_attempt(p_id, p_attempt, p_status, p_response, p_problem, clock_timestamp(), p_retry_after);
  return 'null'::jsonb;
end
$$;

comment on function api.record_attempt is
  'Records the outcome of an attempt of a delivery (app.record_attempt). Without a problem it is delivered.';

grant execute on function api.record_attempt(bigint, integer, integer, text, text, integer) to service_role;
