-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Raises: withdrawal_not_found, withdrawal_state_conflict, invalid_argument.
-- Idempotent: a withdrawal that ended in p_state is returned unchanged.
create or replace function app.end_withdrawal(p_id bigint, p_state text, p_reason text, p_payment_ref text, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := app.lock_withdrawal(p_id);
  v_now timestamptz;
begin
  if v_withdrawal.state = p_state then
    return v_withdrawal;
  elsif (v_withdrawal.state, p_state) not in (
    ('requested', 'refused'), ('approved', 'refused'), ('approved', 'paid'), ('paying', 'paid'), ('approved', 'failed'), ('paying', 'failed')
  ) then
    perform app.fail('withdrawal_state_conflict', format('This withdrawal is %s.', v_withdrawal.state));
  elsif (p_state = 'paid') = (p_reason is not null and app.is_visible(p_reason)) or char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A withdrawal that is not paid needs a reason of 1 to 500 characters.', '/reason');
  elsif char_length(p_payment_ref) not between 1 and 128 or (p_state <> 'paid' and p_payment_ref is not null) then
    perform app.fail('invalid_argument', 'A payment reference has 1 to 128 characters.', '/payment_ref');
  end if;
  if p_state <> 'paid' then
    perform app.lock_balances(array[v_withdrawal.uid]);
  end if;
  v_now := app.effect_time(p_now);
  update app.withdrawals as w set state = p_state, reason = nullif(p_reason, ''), payment_ref = p_payment_ref, ended_at = v_now
  where w.id = p_id
  returning w.* into v_withdrawal;
  if p_state <> 'paid' then
    perform app.book_withdrawal(v_withdrawal, 'withdrawal_returned', v_now);
  end if;
  update app.transfers as t set payee_name = null, package_info = null where t.withdrawal_id = p_id;
  perform app.finish_outbox('transfer', v_withdrawal.withdrawal_no);
  return v_withdrawal;
end
$$;

comment on function app.end_withdrawal is
  'Ends a withdrawal and returns it: paid, refused (before it is being paid), or failed. If it is not paid, the whole amount returns to the '
  'balance.';
