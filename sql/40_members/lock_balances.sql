-- Locks the balance rows of members by ascending uid, the last step of the one global lock order (R10).
-- One query that sorts, then locks: rows locked in any other order deadlock.
-- Callers: whatever changes balances, counters or cycles of several members. Safe twice: locks nest.
create or replace function app.lock_balances(p_uids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update;
end
$$;
