-- Precondition: the caller has inserted the withdrawal in this transaction.
-- Raises: account_not_found.
-- Not idempotent: a withdrawal has one transfer, so a second call fails.
create or replace function app.add_transfer(p_withdrawal app.withdrawals, p_payee_name text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.transfers (withdrawal_id, appid, openid, payee_name)
  select
    p_withdrawal.id, a.appid, a.openid,
    -- Names are kept only where WeChat needs them.
    (select p_payee_name from app.settings as s where p_withdrawal.amount - p_withdrawal.fee >= s.transfer_name_from)
  from app.wechat_payee(p_withdrawal.uid) as a;
  if not found then
    perform app.fail('account_not_found', 'Sign in with WeChat to withdraw to WeChat.');
  end if;
end
$$;

comment on function app.add_transfer is
  'Adds the transfer of a new withdrawal by wechat, to the WeChat account with which its member signs in now.';
