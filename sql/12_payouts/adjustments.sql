-- Adjustments of balances by administrators.

create or replace function app.adjustment_json(p_adjustment app.adjustments)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_adjustment.id, 'uid', p_adjustment.uid, 'nickname',
    (select u.nickname from app.users as u where u.uid = p_adjustment.uid),
    'brokerage', p_adjustment.brokerage_delta::text, 'frozen_points', trim_scale(p_adjustment.frozen_delta),
    'available_points', trim_scale(p_adjustment.available_delta), 'reason', p_adjustment.reason, 'kind',
    p_adjustment.kind, 'state', p_adjustment.state,
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
  select p_adjustment.state = 'waiting' and p_adjustment.created_by is distinct from p_by
    and p_adjustment.uid is distinct from p_uid
$$;

comment on function app.adjustment_waits_for is
  'Returns whether an adjustment waits for the administrator p_by, whose own member is p_uid: neither made by them nor '
  'of their balances.';

create or replace function app.check_adjustment(
  p_brokerage numeric, p_frozen numeric, p_available numeric, p_reason text
)
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

comment on function app.check_adjustment is
  'Raises invalid_argument unless an adjustment has amounts that can be booked, and a reason.';

create or replace function app.is_covered(p_uid bigint, p_brokerage numeric, p_frozen numeric, p_available numeric)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(greatest(p_brokerage, p_frozen, p_available), 0) <= 0
    and b.brokerage_price >= -coalesce(p_brokerage, 0) and b.frozen_points >= -coalesce(p_frozen, 0)
    and b.available_points >= -coalesce(p_available, 0)
  from app.user_balances as b where b.uid = p_uid
$$;

comment on function app.is_covered is
  'Returns whether an adjustment only takes, and no more than the balances of the member have.';

create or replace function app.gives_to_who_gave_up(
  p_uid bigint, p_brokerage numeric, p_frozen numeric, p_available numeric
)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.gave_up(p_uid) and exists (
    select from app.user_balances as b
    where b.uid = p_uid and (
      p_brokerage > 0 and b.brokerage_price + p_brokerage > 0 or p_frozen > 0
      or p_available > 0 and b.available_points + p_available > 0
    )
  )
$$;

comment on function app.gives_to_who_gave_up is
  'Returns whether an adjustment gives a member who gave up what they had (app.gave_up) more than they owe.';

-- Locks: the sum of the administrator, balances of the member.
-- Not idempotent: each call makes an adjustment. Clients send an Idempotency-Key.
create or replace function app.create_adjustment(
  p_uid bigint, p_brokerage numeric, p_frozen numeric, p_available numeric, p_reason text, p_by uuid, p_now timestamptz,
  p_kind text default 'correction'
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
  v_has_left boolean;
begin
  perform app.require_user(p_uid);
  perform app.check_adjustment(p_brokerage, p_frozen, p_available, p_reason);
  perform app.lock_decided_alone('adjustment', p_by, app.effect_time(p_now)) where p_by is not null;
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  v_has_left := (select u.left_at is not null from app.users as u where u.uid = p_uid);
  if (select b.frozen_points from app.user_balances as b where b.uid = p_uid) + coalesce(p_frozen, 0) < 0 then
    perform app.fail(
      'invalid_argument', 'The member has fewer frozen points than this adjustment takes.', '/frozen_points'
    );
  elsif p_kind is null or p_kind not in ('correction', 'forfeit', 'payout') then
    perform app.fail('invalid_argument', 'An adjustment is a correction, a forfeit or a payout.', '/kind');
  elsif p_kind <> 'correction'
    and (not v_has_left or not app.is_covered(p_uid, p_brokerage, p_frozen, p_available)) then
    perform app.fail(
      'invalid_argument', 'Only what a member who left is still owed is paid out or declared given up.', '/kind'
    );
  elsif app.gives_to_who_gave_up(p_uid, p_brokerage, p_frozen, p_available) then
    perform app.fail(
      'adjustment_state_conflict',
      'The member gave up what they had when they left. An adjustment gives them at most what they owe.'
    );
  elsif v_has_left and p_by is not null and not app.other_administrator('money', p_by, p_uid) then
    perform app.fail(
      'second_administrator_needed',
      'A second administrator with the role owner or finance must approve what concerns a member who left. There is none.'
    );
  end if;
  -- Points that only change between frozen and available count once, points that are given or taken in both count
  -- together. Nobody of a member who left looks at the balances, so two administrators always do.
  v_waits := v_has_left and p_by is not null or not app.decide_alone(
    'adjustment', p_brokerage,
    greatest(abs(p_frozen), abs(p_available), abs(coalesce(p_frozen, 0) + coalesce(p_available, 0))), p_by, p_uid, p_now
  );
  insert into app.adjustments (
    uid, brokerage_delta, frozen_delta, available_delta, reason, state, created_by, add_time, decided_by, decided_at,
    kind
  )
  values (
    p_uid, coalesce(p_brokerage, 0), coalesce(p_frozen, 0), coalesce(p_available, 0), p_reason,
    case when v_waits then 'waiting' else 'booked' end,
    p_by, v_now, case when not v_waits then p_by end, case when not v_waits then v_now end, p_kind
  )
  returning * into v_adjustment;
  perform app.book_adjustment(v_adjustment) where not v_waits;
  perform app.write_adjustment_event(v_adjustment);
  return v_adjustment;
end
$$;

comment on function app.create_adjustment is
  'Corrects the balances of a member and returns the adjustment. Above the limits of a day (app.decide_alone), and '
  'always for a member who left, it waits for a second administrator. Frozen points never become negative. Kinds '
  'forfeit and payout take what a member who left is still owed (app.is_covered). Who gave up what they had gets at '
  'most what they owe.';

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

comment on function app.lock_adjustment is
  'Locks an adjustment, which comes before balances in the lock order, and returns it.';

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
    perform app.fail(
      'second_administrator_needed',
      'You made this adjustment. Another administrator with the role owner or finance must decide it.'
    );
  end if;
  if p_state = 'booked' then
    perform app.reject_key_as_second();
    perform app.lock_balances(array[v_adjustment.uid]);
    if (
      select b.frozen_points from app.user_balances as b where b.uid = v_adjustment.uid
    ) + v_adjustment.frozen_delta < 0 then
      perform app.fail(
        'adjustment_state_conflict', 'The member now has fewer frozen points than this adjustment takes. Refuse it.'
      );
    elsif v_adjustment.kind <> 'correction' and not app.is_covered(
      v_adjustment.uid, v_adjustment.brokerage_delta, v_adjustment.frozen_delta, v_adjustment.available_delta
    ) then
      perform app.fail(
        'adjustment_state_conflict', 'The member is now owed less than this adjustment takes. Refuse it.'
      );
    elsif app.gives_to_who_gave_up(
      v_adjustment.uid, v_adjustment.brokerage_delta, v_adjustment.frozen_delta, v_adjustment.available_delta
    ) then
      perform app.fail(
        'adjustment_state_conflict', 'The member gave up what they had when they left. Refuse the adjustment.'
      );
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
  'Books or refuses an adjustment that waits, and returns it. p_by is another administrator than the one who made it. '
  'A machine key only refuses.';

-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_adjustment_action(
  p_function text, p_before app.adjustments, p_after app.adjustments
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left_out constant text[] := array['id', 'created_by', 'add_time', 'decided_by', 'decided_at'];
begin
  perform app.record_action(
    p_function, 'adjustment', p_after.id::text,
    case when p_before.id is not null then to_jsonb(p_before) - v_left_out end, to_jsonb(p_after) - v_left_out,
    array['uid', 'state', 'kind', 'brokerage_delta', 'frozen_delta', 'available_delta']
  );
end
$$;

comment on function app.record_adjustment_action is
  'Records an action on an adjustment with its member, state and amounts, and of the reason only that it changed.';
