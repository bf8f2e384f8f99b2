-- Locks: balances of the member, as app.request_withdrawal does, so that no withdrawal is requested to an account that is being deleted.
-- Raises: account_not_found (also for an account of another member), account_in_use, invalid_argument.
-- Idempotent in effect: a second call raises account_not_found and changes nothing.
create or replace function app.delete_payout_account(p_uid bigint, p_id bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lock_balances(array[p_uid]);
  if not exists (select from app.payout_accounts as a where a.id = p_id and a.uid = p_uid and a.deleted_at is null) then
    perform app.fail('account_not_found');
  elsif exists (select from app.withdrawals as w where w.account_id = p_id and w.ended_at is null) then
    perform app.fail('account_in_use', 'A withdrawal to this account is not finished yet.');
  end if;
  update app.payout_accounts as a set deleted_at = app.effect_time(p_now)
  where a.id = p_id and exists (select from app.withdrawals as w where w.account_id = p_id);
  if not found then
    delete from app.payout_accounts as a where a.id = p_id;
  end if;
end
$$;

comment on function app.delete_payout_account is
  'Deletes an account of a member, unless an open withdrawal goes to it. An account to which money was paid is only hidden, so that '
  'finance can still say where it went.';
