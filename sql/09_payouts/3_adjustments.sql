-- Adjustments of balances by administrators.

create or replace function app.adjustment_json(p_adjustment app.adjustments)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_adjustment.id, 'uid', p_adjustment.uid, 'nickname', (select u.nickname from app.users as u where u.uid = p_adjustment.uid),
    'brokerage', p_adjustment.brokerage_delta::text, 'frozen_points', trim_scale(p_adjustment.frozen_delta),
    'available_points', trim_scale(p_adjustment.available_delta), 'reason', p_adjustment.reason, 'state', p_adjustment.state,
    'created_by', app.actor_json(p_adjustment.created_by), 'add_time', app.utc(p_adjustment.add_time),
    'decided_by', app.actor_json(p_adjustment.decided_by), 'decided_at', app.utc(p_adjustment.decided_at)
  )
$$;

comment on function app.adjustment_json is 'Returns an adjustment in the format of the API.';

create or replace function app.adjustment_waits_for(p_adjustment app.adjustments, p_by uuid, p_uid bigint)
returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select p_adjustment.state = 'waiting' and p_adjustment.created_by is distinct from p_by and p_adjustment.uid is distinct from p_uid
$$;

comment on function app.adjustment_waits_for is
  'Returns whether an adjustment waits for the administrator p_by, whose own member is p_uid: it is neither made by them nor of their balances.';

create or replace function app.check_adjustment(p_brokerage numeric, p_frozen numeric, p_available numeric, p_reason text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if num_nonnulls(nullif(p_brokerage, 0), nullif(p_frozen, 0), nullif(p_available, 0)) = 0 then
    perform app.fail('invalid_argument', 'An adjustment changes at least one balance.');
  elsif greatest(abs(p_brokerage), abs(p_frozen), abs(p_available)) > 100000000 then
    perform app.fail('invalid_argument', 'An adjustment changes a balance by at most 100000000.');
  elsif scale(trim_scale(p_brokerage)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount has at most two decimals.', '/brokerage');
  elsif scale(trim_scale(p_frozen)) > app.points_decimals() then
    perform app.fail('invalid_argument', 'Points have at most four decimals.', '/frozen_points');
  elsif scale(trim_scale(p_available)) > app.points_decimals() then
    perform app.fail('invalid_argument', 'Points have at most four decimals.', '/available_points');
  elsif p_reason is null or char_length(p_reason) not between 1 and 500 or not app.is_visible(p_reason) then
    perform app.fail('invalid_argument', 'An adjustment needs a reason of 1 to 500 characters.', '/reason');
  elsif not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  end if;
end
$$;

comment on function app.check_adjustment is 'Raises invalid_argument unless an adjustment has amounts that can be booked, and a reason.';

-- Precondition: the caller has locked the adjustment, unless it is new, and the balances of the member.
-- Not idempotent: the caller sets the state to booked in the same transaction.
create or replace function app.book_adjustment(p_adjustment app.adjustments)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.book_entries(
    array[app.new_entry(
      p_adjustment.uid, 'adjustment', 'adjustment', p_adjustment.brokerage_delta, p_adjustment.frozen_delta, p_adjustment.available_delta,
      p_adjustment_id => p_adjustment.id
    )],
    '{}', '{}', p_adjustment.decided_at
  );
end
$$;

comment on function app.book_adjustment is 'Changes the balances of a member as an adjustment says, with one bill row.';

-- Precondition: the caller has just inserted or decided the adjustment.
create or replace function app.write_adjustment_event(p_adjustment app.adjustments)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.write_event(
    'adjustment.' || case p_adjustment.state when 'waiting' then 'requested' else p_adjustment.state end, p_adjustment.id, p_adjustment.uid,
    jsonb_build_object(
      'brokerage', p_adjustment.brokerage_delta::text, 'frozen_points', trim_scale(p_adjustment.frozen_delta),
      'available_points', trim_scale(p_adjustment.available_delta)
    ),
    coalesce(p_adjustment.decided_at, p_adjustment.add_time)
  )
$$;

comment on function app.write_adjustment_event is 'Writes the event that an adjustment has reached its state.';

-- Locks: the sum of the administrator, balances of the member.
-- Not idempotent: each call makes an adjustment. Clients send an Idempotency-Key.
create or replace function app.create_adjustment(
  p_uid bigint, p_brokerage numeric, p_frozen numeric, p_available numeric, p_reason text, p_by uuid, p_now timestamptz
)
returns app.adjustments
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
  v_now timestamptz;
  v_waits boolean;
begin
  perform app.require_user(p_uid);
  perform app.check_adjustment(p_brokerage, p_frozen, p_available, p_reason);
  perform app.lock_decided_alone('adjustment', p_by, app.effect_time(p_now)) where p_by is not null;
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  if (select b.frozen_points from app.user_balances as b where b.uid = p_uid) + coalesce(p_frozen, 0) < 0 then
    perform app.fail('invalid_argument', 'The member has fewer frozen points than this adjustment takes.', '/frozen_points');
  end if;
  -- Points that only change between frozen and available count once, points that are given or taken in both count together.
  v_waits := not app.decide_alone(
    'adjustment', p_brokerage, greatest(abs(p_frozen), abs(p_available), abs(coalesce(p_frozen, 0) + coalesce(p_available, 0))), p_by, p_uid, p_now
  );
  insert into app.adjustments (uid, brokerage_delta, frozen_delta, available_delta, reason, state, created_by, add_time, decided_by, decided_at)
  values (
    p_uid, coalesce(p_brokerage, 0), coalesce(p_frozen, 0), coalesce(p_available, 0), p_reason, case when v_waits then 'waiting' else 'booked' end,
    p_by, v_now, case when not v_waits then p_by end, case when not v_waits then v_now end
  )
  returning * into v_adjustment;
  perform app.book_adjustment(v_adjustment) where not v_waits;
  perform app.write_adjustment_event(v_adjustment);
  return v_adjustment;
end
$$;

comment on function app.create_adjustment is
  'Corrects the balances of a member by the given amounts and returns the adjustment. Within the limits of a day (app.decide_alone) it is '
  'booked at once. Above them it waits until a second administrator approves it. Frozen points never become negative.';

-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_adjustment(p_id bigint)
returns app.adjustments
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
begin
  select a.* into v_adjustment from app.adjustments as a where a.id = p_id for update;
  if not found then
    perform app.fail('adjustment_not_found');
  end if;
  return v_adjustment;
end
$$;

comment on function app.lock_adjustment is 'Locks an adjustment, which comes before balances in the lock order, and returns it.';

-- Locks: the adjustment, then the balances of the member if it is booked.
-- Idempotent: an adjustment that has the state p_state is returned unchanged.
create or replace function app.decide_adjustment(p_id bigint, p_state text, p_by uuid, p_now timestamptz)
returns app.adjustments
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments := app.lock_adjustment(p_id);
  v_now timestamptz;
begin
  if v_adjustment.state = p_state then
    return v_adjustment;
  elsif v_adjustment.state <> 'waiting' then
    perform app.fail('adjustment_state_conflict', 'This adjustment has been decided.');
  elsif v_adjustment.created_by is not distinct from p_by then
    perform app.fail('second_administrator_needed', 'You made this adjustment. Another administrator with the role owner or finance must decide it.');
  end if;
  if p_state = 'booked' then
    perform app.reject_key_as_second();
    perform app.lock_balances(array[v_adjustment.uid]);
    if (select b.frozen_points from app.user_balances as b where b.uid = v_adjustment.uid) + v_adjustment.frozen_delta < 0 then
      perform app.fail('adjustment_state_conflict', 'The member now has fewer frozen points than this adjustment takes. Refuse it.');
    end if;
  end if;
  v_now := app.effect_time(p_now);
  update app.adjustments as a set state = p_state, decided_by = p_by, decided_at = v_now
  where a.id = p_id
  returning a.* into v_adjustment;
  perform app.book_adjustment(v_adjustment) where p_state = 'booked';
  perform app.write_adjustment_event(v_adjustment);
  return v_adjustment;
end
$$;

comment on function app.decide_adjustment is
  'Decides an adjustment that waits and returns it: booked or refused, by another administrator than the one who made it. A machine key only refuses.';

-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_adjustment_action(p_function text, p_before app.adjustments, p_after app.adjustments)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left_out constant text[] := array['id', 'created_by', 'add_time', 'decided_by', 'decided_at'];
begin
  perform app.record_action(
    p_function, 'adjustment', p_after.id::text, case when p_before.id is not null then to_jsonb(p_before) - v_left_out end, to_jsonb(p_after) - v_left_out,
    array['uid', 'state', 'brokerage_delta', 'frozen_delta', 'available_delta']
  );
end
$$;

comment on function app.record_adjustment_action is
  'Records an action on an adjustment with its member, state and amounts. Of the reason, it records only that it changed.';
