-- Precondition: the caller has locked the withdrawal.
-- Raises: account_not_found, withdrawal_state_conflict.
-- Idempotent: an approved withdrawal is returned unchanged.
create or replace function app.approve_withdrawal(p_withdrawal app.withdrawals, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_withdrawal.state = 'requested' and p_withdrawal.method <> 'wechat' and p_withdrawal.account_id is null then
    perform app.fail('account_not_found', 'The member was deleted, and the account with them. Refuse this withdrawal.');
  end if;
  return app.advance_withdrawal(p_withdrawal.id, 'approved', p_now);
end
$$;

comment on function app.approve_withdrawal is
  'Approves a requested withdrawal and returns it, unless its account was deleted together with the member.';
