-- What administrators may call about machine keys, and how the edge functions take one.

-- Security definer: client roles cannot read the table, which has the hashes.
create or replace function api.get_machine_keys()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('keys');
  return (
    select app.list_json(
      jsonb_agg(app.key_json(k) order by app.key_state(k, clock_timestamp()) in ('active', 'blocked') desc, k.id desc),
      count(*)
    )
    from app.machine_keys as k
  );
end
$$;

comment on function api.get_machine_keys is
  'Returns all machine keys, those that work first, then the newest: {list, count}. Serves GET /adminapi/machine_key.';

grant execute on function api.get_machine_keys() to store_admin;

-- A key outlives the session in which it is made, so a stolen password does not suffice, whatever the settings say.
-- Not idempotent: each call makes a key.
create or replace function api.create_machine_key(
  p_name text, p_hash text, p_scopes jsonb, p_expires_at timestamptz default null, p_calls_per_hour integer default 3600
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_scopes text[] := array(
    select s.scope from app.key_scopes() with ordinality as s (scope, functions, place) where p_scopes ? s.scope
    order by s.place
  );
  v_key app.machine_keys;
begin
  perform app.require_admin('keys');
  perform app.require_second_factor();
  perform app.check_name(p_name);
  if p_name is null then
    perform app.fail(
      'invalid_argument', 'The name must have 1 to 64 characters in one line and must not be blank.', '/name'
    );
  elsif coalesce(p_hash, '') !~ '^[0-9a-f]{64}$' then
    perform app.fail('invalid_argument', 'The hash of the secret has 64 hexadecimal digits.', '/hash');
  elsif jsonb_typeof(p_scopes) is distinct from 'array' or cardinality(v_scopes) = 0
    or cardinality(v_scopes) <> jsonb_array_length(p_scopes) then
    perform app.fail('invalid_argument', 'Choose different scopes of those that machine keys can have.', '/scopes');
  elsif p_expires_at <= v_now or p_expires_at > v_now + interval '2 years' then
    perform app.fail('invalid_argument', 'A machine key expires within two years.', '/expires_at');
  elsif coalesce(p_calls_per_hour, 0) not between 1 and 100000 then
    perform app.fail('invalid_argument', 'A machine key makes 1 to 100000 calls in an hour.', '/calls_per_hour');
  end if;
  insert into app.machine_keys (name, hash, scopes, calls_per_hour, owner, created_by, created_at, expires_at)
  values (
    p_name, decode(p_hash, 'hex'), v_scopes, p_calls_per_hour, auth.uid(), auth.uid(), v_now,
    coalesce(p_expires_at, v_now + interval '1 year')
  )
  returning * into v_key;
  perform app.record_action(
    'create_machine_key', 'machine_key', v_key.id::text, null,
    jsonb_build_object(
      'scopes', v_key.scopes, 'calls_per_hour', v_key.calls_per_hour, 'expires_at', app.utc(v_key.expires_at)
    )
  );
  return app.key_json(v_key);
end
$$;

comment on function api.create_machine_key is
  'Makes a machine key of the caller and returns it (app.key_json). p_hash is the SHA-256 of its secret. It expires '
  'after a year by default. Needs a second factor. Serves POST /adminapi/machine_key.';

grant execute on function api.create_machine_key(text, text, jsonb, timestamptz, integer) to store_admin;

create or replace function app.lock_machine_key(p_id bigint)
returns app.machine_keys
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key app.machine_keys;
begin
  select k.* into v_key from app.machine_keys as k where k.id = p_id for update;
  if not found then
    perform app.fail('machine_key_not_found');
  end if;
  return v_key;
end
$$;

comment on function app.lock_machine_key is 'Locks a machine key and returns it. Raises machine_key_not_found.';

-- Whoever has made a key knows its secret. If it decides about money, it counts as that person where two are asked, so
-- it cannot count as another one.
-- Locks: the new owner as an administrator, who stays one meanwhile; then the key.
-- Idempotent: the owner stays the owner.
create or replace function api.hand_over_machine_key(p_id bigint, p_owner uuid)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.machine_keys;
  v_after app.machine_keys;
  v_lost text;
begin
  perform app.require_admin('keys');
  perform app.require_second_factor();
  perform from app.administrators as a join auth.users as u on u.id = a.auth_id
  where a.auth_id = p_owner and app.is_active_administrator(u) for key share of a;
  if not found then
    perform app.fail('administrator_not_found');
  end if;
  v_before := app.lock_machine_key(p_id);
  if app.key_state(v_before, clock_timestamp()) in ('revoked', 'expired', 'ended') then
    perform app.fail('changed_meanwhile', 'This machine key does not work any more. Make a new one.');
  elsif 'money:write' = any (v_before.scopes) and p_owner <> v_before.owner then
    perform app.fail(
      'invalid_argument',
      'A key that decides about money counts as the person who made it, and is not handed over. The other administrator makes a new one.',
      '/owner'
    );
  end if;
  v_after := v_before;
  v_after.owner := p_owner;
  v_lost := array_to_string(app.lost_scopes(v_after), ', ');
  if v_lost <> '' then
    perform app.fail(
      'invalid_argument',
      format(
        'The roles of this administrator do not allow the scopes %s. Choose another one, or make a key with fewer scopes.',
        v_lost
      ),
      '/owner'
    );
  end if;
  update app.machine_keys as k set owner = p_owner, owner_left_at = null where k.id = p_id returning k.* into v_after;
  -- What the program repeats has no second effect (app.role_of_caller).
  update app.idempotency_keys as i set auth_id = p_owner
  where i.auth_id = v_before.owner and i.role = 'store_key ' || p_id;
  perform app.record_action(
    'hand_over_machine_key', 'machine_key', p_id::text,
    jsonb_build_object('owner', v_before.owner, 'owner_left_at', app.utc(v_before.owner_left_at)),
    jsonb_build_object('owner', v_after.owner, 'owner_left_at', null)
  );
  return app.key_json(v_after);
end
$$;

comment on function api.hand_over_machine_key is
  'Gives a machine key to another administrator, whose roles allow its scopes, and returns it (app.key_json). One with '
  'the scope money:write keeps its owner. Needs a second factor. Serves PUT /adminapi/machine_key/{id}/owner.';

grant execute on function api.hand_over_machine_key(bigint, uuid) to store_admin;

-- Needs no second factor by itself: whoever sees a key misused stops it at once.
-- Locks: the key.
-- Idempotent: a revoked key stays revoked since the first time.
create or replace function api.revoke_machine_key(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.machine_keys;
  v_after app.machine_keys;
begin
  perform app.require_admin('keys');
  v_before := app.lock_machine_key(p_id);
  update app.machine_keys as k set revoked_at = coalesce(k.revoked_at, clock_timestamp()) where k.id = p_id
  returning k.* into v_after;
  perform app.record_action(
    'revoke_machine_key', 'machine_key', p_id::text, jsonb_build_object('revoked', v_before.revoked_at is not null),
    '{"revoked": true}'::jsonb
  );
  return app.key_json(v_after);
end
$$;

comment on function api.revoke_machine_key is
  'Stops a machine key for ever, from the next call on, and returns it (app.key_json). Serves DELETE '
  '/adminapi/machine_key/{id}.';

grant execute on function api.revoke_machine_key(bigint) to store_admin;

-- A transaction of its own, so that a call that fails afterwards counts, too.
-- Locks: the count of the key; then the key, once a minute.
-- Not idempotent: each call counts.
create or replace function api.use_machine_key(p_id bigint, p_hash text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_key app.machine_keys;
  v_seconds integer;
begin
  select k.* into v_key from app.machine_keys as k where k.id = p_id and encode(k.hash, 'hex') = p_hash;
  if not found then
    perform app.fail('invalid_key');
  end if;
  perform app.require_working_key(v_key);
  v_seconds := app.count_within_hour('machine key ' || v_key.id, v_key.calls_per_hour, v_now);
  if v_seconds is not null then
    perform app.fail(
      'too_many_requests',
      format(
        'This machine key makes at most %s calls in an hour. Try again in %s minutes.', v_key.calls_per_hour,
        ceil(v_seconds / 60.0)
      ),
      p_retry_after => v_seconds
    );
  end if;
  update app.machine_keys as k set last_used_at = v_now
  where k.id = p_id and (k.last_used_at > v_now - interval '1 minute') is not true;
  perform app.forget_hourly_counts(v_now);
  return jsonb_build_object(
    'role', 'store_key', 'sub', v_key.owner, 'key', v_key.id, 'scopes', app.working_scopes(v_key)
  );
end
$$;

comment on function api.use_machine_key is
  'Counts a call of a machine key, with the SHA-256 of its secret, towards its limit of an hour. Returns the claims of '
  'the call: {role, sub, key, scopes}; sub is the owner. Raises invalid_key or too_many_requests.';

grant execute on function api.use_machine_key(bigint, text) to service_role;
