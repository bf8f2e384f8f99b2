-- Locks: the withdrawals of the member by id, then the balances.
-- Concurrent requests wait for the lock of the balances, and then find no account. Additions of accounts wait, too, and app.call_api then
-- finds no member.
-- Idempotent: a second call finds nothing left to remove.
create or replace function app.forget_payee(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.withdrawals as w where w.uid = p_uid order by w.id for update;
  perform app.lock_balances(array[p_uid]);
  delete from app.payout_accounts as a where a.uid = p_uid;
  update app.transfers as t set openid = null, payee_name = null, package_info = null
  from app.withdrawals as w where w.id = t.withdrawal_id and w.uid = p_uid;
  update app.withdrawals as w set account_hint = '', reason = case when w.reason is not null then 'Deleted member' end where w.uid = p_uid;
end
$$;

comment on function app.forget_payee is
  'Removes what names a deleted member: the payout accounts, the WeChat ids and names of the transfers, and the masked accounts and '
  'reasons of the withdrawals. Amounts and states stay. Such a withdrawal can no longer be approved, and is put into no batch.';
