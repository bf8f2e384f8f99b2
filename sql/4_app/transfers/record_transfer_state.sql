-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Raises: withdrawal_not_found, invalid_argument.
-- Idempotent: a withdrawal that has ended stays as it is.
create or replace function app.record_transfer_state(
  p_withdrawal_no text, p_state text, p_provider_ref text, p_reason text, p_package_info text, p_now timestamptz
)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := app.lock_transfer(p_withdrawal_no);
  v_state text := p_state;
  v_reason text := p_reason;
begin
  if p_state is null or p_state not in ('unknown', 'accepted', 'confirming', 'transferring', 'cancelling', 'succeeded', 'failed', 'cancelled') then
    perform app.fail('invalid_argument', 'The state of a transfer is unknown, accepted, confirming, transferring, cancelling, succeeded, failed or cancelled.');
  elsif v_withdrawal.state <> 'paying' then
    return v_withdrawal;
  end if;
  if p_state = 'unknown' then
    if not app.was_never_transferred(v_withdrawal, app.effect_time(p_now)) then
      return v_withdrawal;
    end if;
    v_state := 'cancelled';
    v_reason := 'NEVER_STARTED';
  end if;
  update app.transfers as t
  set provider_ref = coalesce(p_provider_ref, t.provider_ref),
      package_info = case when v_state in ('accepted', 'confirming') then coalesce(p_package_info, t.package_info) end
  where t.withdrawal_id = v_withdrawal.id;
  if v_state = 'succeeded' then
    v_withdrawal := app.end_withdrawal(v_withdrawal.id, 'paid', null, p_provider_ref, p_now);
  elsif v_state in ('failed', 'cancelled') then
    v_withdrawal := app.end_withdrawal(v_withdrawal.id, 'failed', coalesce(v_reason, upper(v_state)), null, p_now);
  end if;
  update app.withdrawals as w set transfer_state = v_state where w.id = v_withdrawal.id returning w.* into v_withdrawal;
  return v_withdrawal;
end
$$;

comment on function app.record_transfer_state is
  'Records what WeChat reports about the transfer of a withdrawal, and returns the withdrawal. What WeChat has transferred is paid; what failed '
  'or was cancelled returns to the balance. With unknown, nothing changes, unless the transfer was cancelled and WeChat never had it.';
