-- Raises: withdrawal_not_found.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_transfer(p_withdrawal_no text)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.lock_withdrawal((select w.id from app.withdrawals as w where w.withdrawal_no = p_withdrawal_no and w.method = 'wechat'));
end
$$;

comment on function app.lock_transfer is 'Locks the withdrawal by wechat that has this number, and returns it.';
