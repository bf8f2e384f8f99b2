-- Locks: the withdrawals, by id.
-- Raises: withdrawal_not_found, own_account.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_withdrawals(p_ids bigint[])
returns setof app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
  v_count integer := 0;
begin
  for v_withdrawal in select w.* from app.withdrawals as w where w.id = any (p_ids) order by w.id for update loop
    perform app.reject_own_member(v_withdrawal.uid);
    v_count := v_count + 1;
    return next v_withdrawal;
  end loop;
  if v_count < cardinality(p_ids) then
    perform app.fail('withdrawal_not_found');
  end if;
end
$$;

comment on function app.lock_withdrawals is
  'Locks withdrawals for an administrator and returns them. Raises an error if one does not exist or is the administrator''s own.';
