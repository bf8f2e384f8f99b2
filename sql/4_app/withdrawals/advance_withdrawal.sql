-- Locks: the withdrawal.
-- Raises: invalid_argument, withdrawal_not_found, withdrawal_state_conflict.
-- Idempotent: a withdrawal in the state p_state is returned unchanged.
create or replace function app.advance_withdrawal(p_id bigint, p_state text, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := app.lock_withdrawal(p_id);
  v_now timestamptz := app.effect_time(p_now);
begin
  if v_withdrawal.state = p_state then
    return v_withdrawal;
  elsif (v_withdrawal.state, p_state) not in (('requested', 'approved'), ('approved', 'paying')) then
    perform app.fail('withdrawal_state_conflict', format('This withdrawal is %s.', v_withdrawal.state));
  end if;
  update app.withdrawals as w
  set state = p_state, approved_at = coalesce(w.approved_at, v_now), paying_at = case p_state when 'paying' then v_now end
  where w.id = p_id
  returning w.* into v_withdrawal;
  return v_withdrawal;
end
$$;

comment on function app.advance_withdrawal is
  'Moves a withdrawal to its next open state and returns it: approved, then paying. From paying on, only the bank or the provider '
  'knows how it ends.';
