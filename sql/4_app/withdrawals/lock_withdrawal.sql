-- Raises: withdrawal_not_found.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_withdrawal(p_id bigint)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id for update;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return v_withdrawal;
end
$$;

comment on function app.lock_withdrawal is 'Locks a withdrawal, which comes before balances in the lock order, and returns it.';
