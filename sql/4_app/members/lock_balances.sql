-- Locks the balance rows of members by ascending uid, the last step of the one global lock order (R10).
-- One query that sorts, then locks: rows locked in any other order deadlock.
-- Before it, a queue: whoever comes for the same lowest row, as all orders below one ancestor do, waits once, in turn, and
-- then reads every row as the one before left it. Without it each waiter follows every new version of every hot row.
-- Callers: whatever changes balances, counters or cycles of several members. Safe twice: locks nest.
-- With the generic plan, which is kept: see get_upline.
create or replace function app.lock_balances(p_uids bigint[])
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(74010001, (min(u.uid) % 2147483647)::integer) from unnest(p_uids) as u (uid);
  perform from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update;
end
$$;
