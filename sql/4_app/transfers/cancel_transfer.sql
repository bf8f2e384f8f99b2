-- Precondition: the caller has locked the withdrawal.
-- Raises: withdrawal_state_conflict.
-- Idempotent: a transfer that is being cancelled is queried again.
create or replace function app.cancel_transfer(p_withdrawal app.withdrawals, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_withdrawal.method <> 'wechat' or p_withdrawal.state <> 'paying' or p_withdrawal.transfer_state = 'transferring' then
    perform app.fail('withdrawal_state_conflict', 'Only a transfer that the member has not confirmed can be cancelled.');
  end if;
  update app.transfers as t set cancel_at = coalesce(t.cancel_at, p_now) where t.withdrawal_id = p_withdrawal.id;
  perform app.ask_to_transfer(p_withdrawal, p_now);
end
$$;

comment on function app.cancel_transfer is
  'Has WeChat cancel the transfer of a withdrawal that its member has not confirmed. The withdrawal stays paying until WeChat says how it ended.';
