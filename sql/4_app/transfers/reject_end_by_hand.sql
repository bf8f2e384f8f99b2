-- Precondition: the caller has locked the withdrawal.
-- Raises: withdrawal_state_conflict.
create or replace function app.reject_end_by_hand(p_withdrawal app.withdrawals, p_now timestamptz)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_withdrawal.method = 'wechat' and p_withdrawal.state in ('approved', 'paying')
    and not exists (select from app.transfers as t where t.withdrawal_id = p_withdrawal.id and app.ends_by_hand(t, p_now)) then
    perform app.fail('withdrawal_state_conflict', 'WeChat says how a transfer ends. Ask again, or cancel it.');
  end if;
end
$$;

comment on function app.reject_end_by_hand is
  'Raises withdrawal_state_conflict if an administrator records the end of a withdrawal although WeChat still reports on its transfer '
  '(app.ends_by_hand).';
