-- One query sorts and then locks, because rows locked in any other order deadlock.
-- The advisory lock on the lowest uid is a queue. All orders below one ancestor need the same lowest row. They wait for it
-- once, one after the other. Without the lock, each of them reads every row again that another one has changed meanwhile.
-- Idempotent: taking a lock again that the transaction holds has no effect.
-- Generic query plan: see get_upline.
create or replace function app.lock_balances(p_uids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(app.lock_number('balances'), (min(u.uid) % 2147483647)::integer) from unnest(p_uids) as u (uid);
  perform from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update;
end
$$;

comment on function app.lock_balances is
  'Locks the balance rows of members by ascending uid, the last step of the lock order (R10).';
