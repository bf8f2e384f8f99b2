-- How a request becomes one function call: as which role, once for each idempotency key, recorded if an administrator
-- writes.

create or replace function app.check_arguments(p_function text, p_args jsonb)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_function pg_catalog.pg_proc;
  v_argument record;
  v_types jsonb;
begin
  -- Row order: schema api has one function of a name.
  select p.* into v_function from pg_catalog.pg_proc as p
  where p.pronamespace = 'api'::regnamespace and p.proname = p_function;
  if not found then
    return;
  end if;
  select coalesce(jsonb_object_agg(v_function.proargnames[t.ordinal], format_type(t.type, null)), '{}') into v_types
  from unnest(v_function.proargtypes::oid[]) with ordinality as t (type, ordinal);
  for v_argument in
    select a.key as name, a.value, v_types ->> a.key as type
    from jsonb_each_text(p_args) as a
    order by a.key
  loop
    if v_argument.type is null then
      perform app.fail('invalid_argument', format('There is no argument %s.', left(v_argument.name, 64)));
    end if;
    begin
      execute format('select $1::%s', v_argument.type) using v_argument.value;
    exception when data_exception then
      perform app.fail(
        'invalid_argument',
        format('%s is not a value of type %s, or too large for it.', v_argument.name, v_argument.type)
      );
    end;
  end loop;
  if exists (
    select from generate_series(1, v_function.pronargs - v_function.pronargdefaults) as r (ordinal)
    where not p_args ? v_function.proargnames[r.ordinal]
  ) then
    perform app.fail('invalid_argument', 'An argument is missing.');
  end if;
end
$$;

comment on function app.check_arguments is
  'Raises invalid_argument for an argument of a function of schema api that is unknown, missing or not of its '
  'parameter''s type.';

grant execute on function app.check_arguments(text, jsonb) to anon, authenticated, service_role, store_admin;

-- Arguments are passed as one parameter and are not part of the statement text, so they do not get into the database's
-- log. Administrative writes must be recorded: a volatile function that only administrators may execute fails, and its
-- changes roll back, unless it calls app.record_action with its own name, or app.record_no_action where nothing was to
-- be changed. A function that never changes anything must be declared stable. A member who is deleted while their write
-- waits for a lock is looked up again afterwards, so that nothing personal is written after the deletion
-- (app.forget_person).
create or replace function app.call_api(p_function text, p_args jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_admin constant boolean := current_user in ('store_admin', 'store_key');
  v_is_write boolean := false;
  v_is_members boolean := false;
  v_arguments text;
  v_result jsonb;
  v_message text;
  v_constraint text;
begin
  -- At most one look at the catalogue, and none without arguments. The array of types begins at 0, that of names at 1.
  if v_is_admin or p_args <> '{}' then
    select p.provolatile = 'v' and v_is_admin and not m.may,
      p.provolatile = 'v' and m.may and not has_function_privilege('anon', p.oid, 'execute'), (
      select string_agg(
        format(
          '%I => ($1 ->> %L)::%s', k, k,
          coalesce(format_type((p.proargtypes::oid[])[array_position(p.proargnames, k) - 1], null), 'text')
        ),
        ', '
        order by k
      )
      from jsonb_object_keys(p_args) as k
    )
    -- Row order: schema api has one function of a name.
    into v_is_write, v_is_members, v_arguments
    from pg_catalog.pg_proc as p
    cross join lateral (select has_function_privilege('authenticated', p.oid, 'execute') as may) as m
    where p.pronamespace = 'api'::regnamespace and p.proname = p_function;
  end if;
  perform set_config('store.recorded_action', '', true) where v_is_write;
  execute format('select api.%I(%s)', p_function, v_arguments) into v_result using p_args;
  if v_is_write and current_setting('store.recorded_action') <> p_function then
    raise exception 'api.% changed something for an administrator and recorded no action', p_function;
  elsif v_is_members then
    perform app.require_uid();
  end if;
  return v_result;
exception when data_exception or undefined_function then
  -- The arguments are checked only after a failure, so that a valid call does not pay for it.
  perform app.check_arguments(p_function, p_args);
  raise;
when integrity_constraint_violation then
  -- The function lacks a check. Its error has no detail, because Postgres would log it, and it has the row that people
  -- entered.
  get stacked diagnostics v_message = message_text, v_constraint = constraint_name;
  raise exception using errcode = sqlstate, message = v_message, constraint = v_constraint;
end
$$;

comment on function app.call_api is
  'Executes api.<p_function> with the rights of the current role and returns its result. p_args maps parameter names '
  'to values.';

grant execute on function app.call_api(text, jsonb) to anon, authenticated, store_admin, service_role;

-- Idempotent: if the function is.
create or replace function app.as_service(p_function text, p_args jsonb default '{}')
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('request.jwt.claims', '{"role": "service_role"}', true);
  perform set_config('role', 'service_role', true);
  return app.call_api(p_function, p_args);
end
$$;

comment on function app.as_service is
  'Runs one function of schema api as service_role, for work without a user. Must never be called with anything taken '
  'from a token.';

grant execute on function app.as_service(text, jsonb) to store_api;

-- The insert position, because commits that are not flushed yet count, too. It precedes no commit that is complete when
-- the statement begins.
create or replace function app.log_position()
returns text
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select left(pg_walfile_name(p.position), 8) || '-' || lpad(split_part(p.position::text, '/', 1), 8, '0') || '/'
    || lpad(split_part(p.position::text, '/', 2), 8, '0')
  from (select case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() end as position) as p
$$;

comment on function app.log_position is
  'Returns the timeline and the end of the log of the server, such as 00000001-00000000/016B3748. Later positions are '
  'greater as text. Null on a standby.';

grant execute on function app.log_position() to store_api;

-- The timeline of the control file may lag behind that of the replay, but never precedes it: a doubt is a no. So is a
-- control file that may not be read.
create or replace function app.has_replayed(p_position text, p_max_age interval)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_timeline bigint;
begin
  -- In a store in use, commits arrive all the time. A standby that has received none for longer may have lost its
  -- primary.
  if not pg_is_in_recovery() or coalesce(clock_timestamp() - pg_last_xact_replay_timestamp() > p_max_age, true) then
    return false;
  elsif p_position is null then
    return true;
  elsif p_position !~ '^[0-9A-F]{8}-[0-9A-F]{8}/[0-9A-F]{8}$'
    or not (
      has_function_privilege('pg_control_checkpoint()', 'execute')
      and has_function_privilege('pg_control_recovery()', 'execute')
    ) then
    return false;
  end if;
  select greatest(c.timeline_id, r.min_recovery_end_timeline) into v_timeline
  from pg_control_checkpoint() as c, pg_control_recovery() as r;
  return v_timeline >= ('x' || left(p_position, 8))::bit(32)::bigint
    and pg_last_wal_replay_lsn() >= substr(p_position, 10)::pg_lsn;
end
$$;

comment on function app.has_replayed is
  'Returns whether this server is a standby that has replayed the log up to p_position (app.log_position; null: its '
  'beginning), the last commit at most p_max_age ago.';

grant execute on function app.has_replayed(text, interval) to store_api;

-- Precondition: the caller runs with owner rights.
create or replace function app.role_of_caller()
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select concat_ws(' ', auth.jwt() ->> 'role', auth.jwt() ->> 'key')
$$;

comment on function app.role_of_caller is
  'Returns the role of the caller in the claims of the request, with the id of a machine key. Each has its own '
  'idempotency keys.';

-- Security definer: no client role may read the table.
-- Locks: an advisory lock on the key, tried without waiting. It is released after the commit that makes the response
-- visible, so whoever gets the lock next sees the response. Then the row of the key: a transaction that locks a row
-- waits for the synchronous standby when it commits, so a response is returned only when what it reports cannot be lost
-- with the primary. For a new key of a member, the count of their keys.
create or replace function app.find_response(p_key text, p_fingerprint bytea, p_now timestamptz)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := app.role_of_caller();
  v_kept app.idempotency_keys;
begin
  -- The function itself, which checks the same, is not executed again.
  if v_role <> 'authenticated' then
    perform app.require_admin(null), set_config('store.required_areas', '', true);
  end if;
  if p_key !~ '^[!-~]{1,255}$' then
    perform app.fail('invalid_argument', 'An idempotency key has 1 to 255 visible characters of ASCII.');
  elsif not pg_try_advisory_xact_lock(
    hashtextextended(concat_ws(' ', auth.uid(), v_role, p_key), app.lock_number('idempotency_key'))
  ) then
    perform app.fail('idempotency_key_in_use');
  end if;
  select k.* into v_kept from app.idempotency_keys as k
  where k.auth_id = auth.uid() and k.role = v_role and k.key = p_key
  for update;
  if v_kept.fingerprint <> p_fingerprint then
    perform app.fail('idempotency_key_reused');
  elsif v_kept.key is null and v_role = 'authenticated' then
    perform app.use_quota(u.uid, 'key', p_now) from app.users as u where u.auth_id = auth.uid();
  end if;
  perform app.require_admin(a) from unnest(v_kept.areas) as a;
  return v_kept.response;
end
$$;

comment on function app.find_response is
  'Locks an idempotency key of the caller until the end of the transaction and returns its response, or null. A new '
  'key counts towards the quota of a member. Raises idempotency_key_in_use or idempotency_key_reused.';

grant execute on function app.find_response(text, bytea, timestamptz) to authenticated, store_admin;

-- Security definer: no client role may write to the table.
-- Precondition: the caller holds the lock of app.find_response on the key. app.require_admin has noted the areas that
-- the call required.
create or replace function app.store_response(p_key text, p_fingerprint bytea, p_response jsonb, p_now timestamptz)
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into app.idempotency_keys (auth_id, role, key, fingerprint, response, areas, created_at)
  values (
    auth.uid(), app.role_of_caller(), p_key, p_fingerprint, coalesce(p_response, 'null'),
    string_to_array(coalesce(current_setting('store.required_areas', true), ''), ' '), p_now
  )
$$;

comment on function app.store_response is 'Stores a response under an idempotency key of the caller.';

grant execute on function app.store_response(text, bytea, jsonb, timestamptz) to authenticated, store_admin;

-- Locks: the key, until the end of the transaction. A concurrent request with the same key fails instead of waiting.
-- Idempotent: the same key with the same function and arguments has one effect.
create or replace function app.call_once(p_key text, p_function text, p_args jsonb, p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Equal jsonb values have the same text, whatever spacing or key order the client used.
  v_fingerprint bytea := sha256(convert_to(p_function || ' ' || p_args::text, 'UTF8'));
  v_response jsonb := app.find_response(p_key, v_fingerprint, p_now);
begin
  if v_response is null then
    v_response := app.call_api(p_function, p_args);
    perform app.store_response(p_key, v_fingerprint, v_response, p_now);
  end if;
  return v_response;
end
$$;

comment on function app.call_once is
  'Executes a function of schema api, or returns the response of an earlier call with the same key. Raises as '
  'app.find_response.';

grant execute on function app.call_once(text, text, jsonb, timestamptz) to authenticated, store_admin;

-- Role and claims last until the end of the transaction. The edge functions do this in one autocommit statement.
-- Inlined into every entry point. The role is a parameter, because reading it from the claims costs more than passing
-- it.
create or replace function app.become_caller(p_claims text, p_role text, p_request_id text, p_function text)
returns boolean
language sql
volatile
as $$
  select pg_catalog.set_config('request.jwt.claims', p_claims, true) is not null
    and pg_catalog.set_config('store.request_id', coalesce(p_request_id, ''), true) is not null
    and (p_role <> 'store_key' or pg_catalog.set_config('store.called', p_function, true) is not null)
    and pg_catalog.set_config('role', case
      when p_role in ('anon', 'authenticated', 'store_admin', 'store_key') then p_role
      else app.fail('forbidden', 'This token carries a role that may not call the store.')::pg_catalog.text
    end, true) is not null
$$;

comment on function app.become_caller is
  'Takes the role and claims of a verified token or machine key until the end of the transaction. Returns true, or '
  'raises forbidden for a role that may not call the store.';

grant execute on function app.become_caller(text, text, text, text) to store_api;

-- Security invoker: once the role is set, only the caller's own grants and policies apply.
-- Idempotent: with a key always, otherwise if the function is.
create or replace function app.as_caller(
  p_claims jsonb, p_function text, p_args jsonb default '{}', p_key text default null, p_request_id text default null
)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Within `and`, the planner may leave out a function whose result no longer matters.
  if (
    case
      when app.become_caller(
        p_claims::text, coalesce(p_claims ->> 'role', 'anon'), p_request_id, p_function
      ) then p_key is not null
    end
  ) then
    return app.call_once(p_key, p_function, p_args, clock_timestamp());
  end if;
  return app.call_api(p_function, p_args);
end
$$;

comment on function app.as_caller is
  'Runs one function of schema api as the caller that a verified token names, and returns its result. p_key is the '
  'Idempotency-Key; p_request_id stands in app.admin_actions.';

grant execute on function app.as_caller(jsonb, text, jsonb, text, text) to store_api;

-- Two statements of a volatile function: the second one has a snapshot that is taken after the first, and therefore
-- sees what was replayed.
-- Idempotent: a standby changes nothing.
create or replace function app.read_as_caller(
  p_claims jsonb, p_function text, p_args jsonb, p_request_id text, p_position text, p_max_age interval
)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if not app.has_replayed(p_position, p_max_age) then
    return null;
  end if;
  return coalesce(app.as_caller(p_claims, p_function, p_args, null, p_request_id), 'null');
end
$$;

comment on function app.read_as_caller is
  'Runs one function of schema api as the caller on a standby (app.has_replayed). A result without a value is the JSON '
  'value null; null itself says that the primary must answer.';

grant execute on function app.read_as_caller(jsonb, text, jsonb, text, text, interval) to store_api;

-- Locks: the rows, skipping those that another transaction holds.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_old_keys(p_now timestamptz, p_limit integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_deleted integer;
begin
  delete from app.idempotency_keys as k
  where k.ctid = any (array(
    -- Row order: which of the old ones; the next call takes the others.
    select o.ctid from app.idempotency_keys as o where o.created_at < p_now - interval '24 hours' limit p_limit
    for update skip locked
  ));
  get diagnostics v_deleted = row_count;
  return v_deleted = p_limit;
end
$$;

comment on function app.forget_old_keys is
  'Deletes up to p_limit stored responses that are older than 24 hours and returns whether more may be left.';

-- Idempotent, also when it runs concurrently: what is deleted is gone.
create or replace procedure app.forget_idempotency_keys()
language plpgsql
as $$
declare
  v_run record := app.begin_run('forget_idempotency_keys', 1000);
begin
  commit;
  while app.forget_old_keys(app.trusted_time(null), v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.forget_idempotency_keys is
  'Deletes stored responses that are older than 24 hours, in batches with a commit each.';
