-- Locks: balances of the member.
-- Raises: invalid_argument, user_not_found, second_administrator_needed.
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
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  if (select b.frozen_points from app.user_balances as b where b.uid = p_uid) + coalesce(p_frozen, 0) < 0 then
    perform app.fail('invalid_argument', 'The member has fewer frozen points than this adjustment takes.', '/frozen_points');
  end if;
  select coalesce(abs(p_brokerage) > s.adjustment_limit_money, false) or coalesce(greatest(abs(p_frozen), abs(p_available)) > s.adjustment_limit_points, false)
  into v_waits
  from app.settings as s;
  if v_waits and not app.other_administrator('money', p_by, p_uid) then
    perform app.fail('second_administrator_needed', 'Above the limit, a second administrator with the role owner or finance must approve. There is none.');
  end if;
  insert into app.adjustments (uid, brokerage_delta, frozen_delta, available_delta, reason, state, created_by, add_time, decided_by, decided_at)
  values (
    p_uid, coalesce(p_brokerage, 0), coalesce(p_frozen, 0), coalesce(p_available, 0), p_reason, case when v_waits then 'waiting' else 'booked' end,
    p_by, v_now, case when not v_waits then p_by end, case when not v_waits then v_now end
  )
  returning * into v_adjustment;
  perform app.book_adjustment(v_adjustment) where not v_waits;
  return v_adjustment;
end
$$;

comment on function app.create_adjustment is
  'Corrects the balances of a member by the given amounts and returns the adjustment. Within the limits of the settings it is '
  'booked at once. Above them it waits until a second administrator approves it. Frozen points never become negative.';
