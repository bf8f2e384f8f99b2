-- Precondition: the caller has locked the withdrawal.
-- Raises: account_not_found and what app.advance_withdrawal raises.
-- Idempotent: an approved withdrawal is returned unchanged.
create or replace function app.approve_withdrawal(p_withdrawal app.withdrawals, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  if p_withdrawal.state = 'requested' and p_withdrawal.account_id is null
    and not exists (select from app.transfers as t where t.withdrawal_id = p_withdrawal.id and t.openid is not null) then
    perform app.fail('account_not_found', 'The member was deleted, and the account with them. Refuse this withdrawal.');
  end if;
  v_withdrawal := app.advance_withdrawal(p_withdrawal.id, 'approved', p_now);
  perform app.ask_to_transfer(v_withdrawal, app.effect_time(p_now)) where v_withdrawal.method = 'wechat';
  return v_withdrawal;
end
$$;

comment on function app.approve_withdrawal is
  'Approves a requested withdrawal and returns it, unless its account was deleted together with the member. One by wechat is given to the '
  'outbox in the same transaction.';
