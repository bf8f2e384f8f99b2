-- The action log: every administrative write is recorded, by whom and from what to what.

-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_action(
  p_function text, p_target_type text, p_target_id text, p_before jsonb, p_after jsonb, p_kept text[] default null,
  p_by uuid default null
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from jsonb := case when p_before is not null then '{}'::jsonb end;
  v_to jsonb := case when p_after is not null then '{}'::jsonb end;
  v_key text;
begin
  for v_key in select k from jsonb_object_keys(coalesce(p_before, '{}') || coalesce(p_after, '{}')) as k order by k loop
    continue when v_key in ('updated_at', 'updated_by') or p_before -> v_key = p_after -> v_key;
    if p_kept is null or v_key = any (p_kept) then
      v_from := v_from || jsonb_build_object(v_key, p_before -> v_key);
      v_to := v_to || jsonb_build_object(v_key, p_after -> v_key);
    else
      v_to := v_to || jsonb_build_object(v_key, 'changed');
    end if;
  end loop;
  insert into app.admin_actions (
    actor, machine_key, function, target_type, target_id, from_value, to_value, request_id, add_time
  )
  values (
    coalesce(p_by, auth.uid()), (auth.jwt() ->> 'key')::bigint, p_function, p_target_type, p_target_id, v_from, v_to,
    nullif(current_setting('store.request_id', true), ''), clock_timestamp()
  );
  perform set_config('store.recorded_action', p_function, true);
end
$$;

comment on function app.record_action is
  'Records an action of an administrator, with the keys that differ between p_before and p_after; null: no such '
  'target. With p_kept, the other keys are recorded as "changed", without their values. p_by is by default the account '
  'of the request.';

create or replace function app.record_no_action(p_function text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('store.recorded_action', p_function, true);
end
$$;

comment on function app.record_no_action is
  'Records that a call of an administrator changed nothing, so that app.as_caller expects no action.';

create or replace function app.actions_dropped_until()
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select max(d.month) + interval '1 month' from app.dropped_actions as d) at time zone 'UTC', '-infinity'
  )
$$;

comment on function app.actions_dropped_until is
  'Returns the time before which actions were dropped (app.drop_actions); -infinity if none were.';

grant execute on function app.actions_dropped_until() to store_admin;

-- A statement that waits until a month is dropped still reads with its earlier snapshot: it would find no actions of
-- the month, and not see that they are dropped. This function is volatile, so that its own statements see what was
-- committed meanwhile.
-- Locks: the action log, as every read of it does. No month is dropped before the end of the transaction.
create or replace function app.hold_actions(p_dropped_until timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  lock table only app.admin_actions in access share mode;
  if app.actions_dropped_until() <> p_dropped_until then
    raise serialization_failure using message = 'a month of the action log was dropped meanwhile';
  end if;
end
$$;

comment on function app.hold_actions is
  'Keeps months of the action log from being dropped until the end of the transaction. Raises serialization_failure if '
  'app.actions_dropped_until() is no longer p_dropped_until.';

grant execute on function app.hold_actions(timestamptz) to store_admin;

create or replace function app.reach_actions(p_from timestamptz)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_dropped_until timestamptz := app.actions_dropped_until();
begin
  perform app.hold_actions(v_dropped_until);
  if p_from < v_dropped_until then
    perform app.fail(
      'actions_dropped', format('Actions before %s were exported and dropped.', app.utc(v_dropped_until))
    );
  end if;
  return v_dropped_until;
end
$$;

comment on function app.reach_actions is
  'Returns the time before which actions were dropped, and holds the others (app.hold_actions). Raises actions_dropped '
  'if p_from is before it.';

grant execute on function app.reach_actions(timestamptz) to store_admin;
