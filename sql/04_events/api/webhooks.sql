-- What administrators may call about webhooks: make, change, stop and try them.

-- Precondition: the caller runs with owner rights.
create or replace function app.webhook_json(p_webhook app.webhooks)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_webhook.id, 'url', p_webhook.url, 'description', p_webhook.description, 'types', to_jsonb(p_webhook.types),
    'version', p_webhook.version,
    'state', p_webhook.state, 'failing_since', app.utc(p_webhook.failing_since), 'secret_made_at',
    app.utc(p_webhook.salted_at),
    'former_secret_ends_at',
    case when p_webhook.former_ends_at > clock_timestamp() then app.utc(p_webhook.former_ends_at) end,
    'waiting', (
      select count(*) from (
        select from app.webhook_deliveries as d where d.webhook_id = p_webhook.id and d.state = 'waiting'
        limit app.waiting_limit()
      ) as w
    ),
    'created_by', app.actor_json(p_webhook.created_by), 'created_at', app.utc(p_webhook.created_at)
  )
$$;

comment on function app.webhook_json is
  'Returns a webhook as administrators see it, without its salts. waiting is at most app.waiting_limit().';

-- A path can have a secret of the receiver, so only the host is recorded.
create or replace function app.webhook_record(p_webhook app.webhooks)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'host', substring(p_webhook.url from '^https://([^/?]+)'), 'url', p_webhook.url, 'description',
    p_webhook.description, 'types', p_webhook.types
  )
$$;

comment on function app.webhook_record is
  'Returns what the action log compares of a webhook. It records host and types only.';

create or replace function app.lock_webhook(p_id bigint)
returns app.webhooks
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_webhook app.webhooks;
begin
  select w.* into v_webhook from app.webhooks as w where w.id = p_id for update;
  if not found then
    perform app.fail('webhook_not_found');
  end if;
  return v_webhook;
end
$$;

comment on function app.lock_webhook is 'Locks a webhook and returns it. Raises webhook_not_found.';

create or replace function app.webhook_types(p_types jsonb)
returns text[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_types text[] := array(select t.type from app.event_types as t where p_types ? t.type order by t.rank);
begin
  if jsonb_typeof(p_types) is distinct from 'array' or cardinality(v_types) = 0
    or cardinality(v_types) <> jsonb_array_length(p_types) then
    perform app.fail('invalid_argument', 'Choose different types of events of the catalogue.', '/types');
  end if;
  return v_types;
end
$$;

comment on function app.webhook_types is
  'Returns the types of events of a JSON array in the order of the catalogue. Raises invalid_argument unless it has '
  'different ones.';

create or replace function app.check_webhook(p_url text, p_description text)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if app.is_webhook_address(p_url) is not true then
    perform app.fail(
      'invalid_argument', 'The address begins with https://, and has neither a user nor a part after #.', '/url'
    );
  elsif char_length(p_description) > 64 or app.is_line(p_description) is not true then
    perform app.fail(
      'invalid_argument', 'The description must have 1 to 64 characters in one line and must not be blank.',
      '/description'
    );
  end if;
end
$$;

comment on function app.check_webhook is
  'Raises invalid_argument for an address or a description that no webhook can have.';

-- Security definer: client roles cannot read the table, which has the salts.
create or replace function api.get_webhooks()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('keys');
  return (select app.list_json(jsonb_agg(app.webhook_json(w) order by w.id desc), count(*)) from app.webhooks as w);
end
$$;

comment on function api.get_webhooks is
  'Returns all webhooks, newest first: {list, count}. Serves GET /adminapi/webhook.';

grant execute on function api.get_webhooks() to store_admin;

-- Security definer: client roles cannot read the table, which has the salts.
create or replace function api.get_webhook(p_id bigint)
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
  return app.webhook_json(v_webhook);
end
$$;

comment on function api.get_webhook is 'Returns a webhook (app.webhook_json). Serves GET /adminapi/webhook/{id}.';

grant execute on function api.get_webhook(bigint) to store_admin;

-- What leaves the store leaves it after the session has ended, so a stolen password does not suffice, whatever the
-- settings say.
-- Locks: the position of the deliveries, so that no event that the snapshot lacks is passed before the webhook is
-- committed.
-- Not idempotent: each call makes a webhook.
create or replace function api.create_webhook(p_url text, p_description text, p_types jsonb, p_salt text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_webhook app.webhooks;
begin
  perform app.require_admin('keys');
  perform app.require_second_factor();
  perform app.check_webhook(p_url, p_description);
  if coalesce(p_salt, '') !~ '^[0-9a-f]{32}$' then
    perform app.fail('invalid_argument', 'The salt of the secret has 32 hexadecimal digits.', '/salt');
  elsif (select count(*) from app.webhooks) >= 50 then
    perform app.fail('invalid_argument', 'A store has at most 50 webhooks. Delete one that nobody uses.');
  end if;
  perform app.lock_webhook_position();
  insert into app.webhooks (url, description, types, salt, salted_at, created_by, created_at, since_era, since)
  values (
    p_url, p_description, app.webhook_types(p_types), p_salt, v_now, auth.uid(), v_now, (app.current_era()).era,
    pg_current_snapshot()
  )
  returning * into v_webhook;
  perform app.record_action(
    'create_webhook', 'webhook', v_webhook.id::text, null, app.webhook_record(v_webhook) - '{url, description}'::text[]
  );
  return app.webhook_json(v_webhook);
end
$$;

comment on function api.create_webhook is
  'Makes a webhook for the events of p_types that are committed after it, and returns it (app.webhook_json). Needs a '
  'second factor. Serves POST /adminapi/webhook.';

grant execute on function api.create_webhook(text, text, jsonb, text) to store_admin;

-- Locks: the webhook.
-- Idempotent: setting the same values again changes nothing.
create or replace function api.set_webhook(p_id bigint, p_url text, p_description text, p_types jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.webhooks;
  v_after app.webhooks;
begin
  perform app.require_admin('keys');
  perform app.require_second_factor();
  perform app.check_webhook(p_url, p_description);
  v_before := app.lock_webhook(p_id);
  update app.webhooks as w set url = p_url, description = p_description, types = app.webhook_types(p_types)
  where w.id = p_id returning w.* into v_after;
  perform app.record_action(
    'set_webhook', 'webhook', p_id::text, app.webhook_record(v_before), app.webhook_record(v_after), '{host, types}'
  );
  return app.webhook_json(v_after);
end
$$;

comment on function api.set_webhook is
  'Changes a webhook and returns it (app.webhook_json). Waiting deliveries go to the new address. Needs a second '
  'factor. Serves PUT /adminapi/webhook/{id}.';

grant execute on function api.set_webhook(bigint, text, text, jsonb) to store_admin;

-- Switching off needs no second factor: whoever sees data go astray stops it at once.
-- Locks: the webhook; then its deliveries.
-- Idempotent: the state stays.
create or replace function api.switch_webhook(p_id bigint, p_on boolean)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.webhooks;
  v_after app.webhooks;
begin
  perform app.require_admin('keys');
  if p_on is null then
    perform app.fail('invalid_argument', 'Say whether the webhook is on.', '/on');
  elsif p_on then
    perform app.require_second_factor();
  end if;
  v_before := app.lock_webhook(p_id);
  update app.webhooks as w
  set state = case when p_on then 'on' else 'off' end, failing_since = case when not p_on then w.failing_since end
  where w.id = p_id returning w.* into v_after;
  if p_on and v_before.state <> 'on' then
    update app.webhook_deliveries as d set began_at = null, run_after = clock_timestamp()
    where d.webhook_id = p_id and d.state = 'waiting';
  end if;
  perform app.record_action(
    'switch_webhook', 'webhook', p_id::text, jsonb_build_object('state', v_before.state),
    jsonb_build_object('state', v_after.state)
  );
  return app.webhook_json(v_after);
end
$$;

comment on function api.switch_webhook is
  'Switches a webhook on or off and returns it (app.webhook_json). While off, it gets no new events, and waiting '
  'deliveries stay. Switching on needs a second factor. Serves PUT /adminapi/webhook/{id}/state.';

grant execute on function api.switch_webhook(bigint, boolean) to store_admin;

-- Locks: the webhook.
-- Not idempotent: each call makes a secret.
create or replace function api.rotate_webhook_secret(p_id bigint, p_salt text, p_hours integer default 24)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_before app.webhooks;
  v_after app.webhooks;
begin
  perform app.require_admin('keys');
  perform app.require_second_factor();
  if coalesce(p_salt, '') !~ '^[0-9a-f]{32}$' then
    perform app.fail('invalid_argument', 'The salt of the secret has 32 hexadecimal digits.', '/salt');
  elsif coalesce(p_hours, -1) not between 0 and 168 then
    perform app.fail('invalid_argument', 'The former secret signs for up to 168 hours more.', '/hours');
  end if;
  v_before := app.lock_webhook(p_id);
  update app.webhooks as w
  set salt = p_salt, salted_at = v_now, former_salt = case when p_hours > 0 then w.salt end,
    former_ends_at = case when p_hours > 0 then v_now + make_interval(hours => p_hours) end
  where w.id = p_id returning w.* into v_after;
  perform app.record_action(
    'rotate_webhook_secret', 'webhook', p_id::text, jsonb_build_object('secret_made_at', app.utc(v_before.salted_at)),
    jsonb_build_object(
      'secret_made_at', app.utc(v_after.salted_at), 'former_secret_ends_at', app.utc(v_after.former_ends_at)
    )
  );
  return app.webhook_json(v_after);
end
$$;

comment on function api.rotate_webhook_secret is
  'Gives a webhook a new salt and returns it (app.webhook_json). The former secret also signs for p_hours. Needs a '
  'second factor. Serves POST /adminapi/webhook/{id}/secret.';

grant execute on function api.rotate_webhook_secret(bigint, text, integer) to store_admin;

-- Locks: the webhook; then its deliveries, which are deleted with it.
-- Idempotent: what is deleted is gone.
create or replace function api.delete_webhook(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.webhooks;
begin
  perform app.require_admin('keys');
  perform app.require_second_factor();
  v_before := app.lock_webhook(p_id);
  delete from app.webhooks as w where w.id = p_id;
  perform app.record_action(
    'delete_webhook', 'webhook', p_id::text, app.webhook_record(v_before) - '{url, description}'::text[], null
  );
  return 'null'::jsonb;
end
$$;

comment on function api.delete_webhook is
  'Deletes a webhook with all its deliveries. Needs a second factor. Serves DELETE /adminapi/webhook/{id}.';

grant execute on function api.delete_webhook(bigint) to store_admin;

-- Locks: the webhook.
-- Not idempotent: each call sends a test.
create or replace function api.test_webhook(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_delivery app.webhook_deliveries;
begin
  perform app.require_admin('keys');
  perform app.lock_webhook(p_id);
  insert into app.webhook_deliveries (webhook_id, kind, type, message_id, body, run_after, created_at)
  values (
    p_id, 'test', 'webhook.test', 'test_' || gen_random_uuid(),
    app.webhook_body('webhook.test', v_now, jsonb_build_object('webhook', p_id)), v_now, v_now
  )
  returning * into v_delivery;
  perform app.record_action(
    'test_webhook', 'webhook', p_id::text, null, jsonb_build_object('webhook_id', v_delivery.message_id)
  );
  return app.delivery_json(v_delivery);
end
$$;

comment on function api.test_webhook is
  'Sends a test once to a webhook, also to one that is off, and returns the delivery (app.delivery_json). Serves POST '
  '/adminapi/webhook/{id}/test.';

grant execute on function api.test_webhook(bigint) to store_admin;
