-- Locks: the withdrawals of the member by id, then the balances.
-- The lock of the balances makes concurrent requests and additions of accounts wait, which then find no account, or no member.
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
  update app.withdrawals as w set account_hint = '', reason = case when w.reason is not null then 'Deleted member' end where w.uid = p_uid;
end
$$;

comment on function app.forget_payee is
  'Removes the payout accounts of a deleted member, and from their withdrawals the masked accounts and the reasons. Amounts and states stay. '
  'A withdrawal that no bank was told to pay can only be refused afterwards.';
