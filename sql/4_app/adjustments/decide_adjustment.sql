-- Locks: the adjustment, then the balances of the member if it is booked.
-- Raises: adjustment_not_found, second_administrator_needed, adjustment_state_conflict, invalid_argument.
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
  return v_adjustment;
end
$$;

comment on function app.decide_adjustment is
  'Decides an adjustment that waits and returns it: booked or refused, by another administrator than the one who made it.';
