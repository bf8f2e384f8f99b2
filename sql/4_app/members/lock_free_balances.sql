-- Locks the balance rows of those members whose rows nobody else holds, by ascending uid, and returns them. Never waits, so it
-- cannot deadlock.
-- Callers: run_settlement_jobs, where waiting for all rows of a batch took too long. Safe twice: locks nest.
create or replace function app.lock_free_balances(p_uids bigint[])
returns setof bigint
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select b.uid from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update skip locked
$$;
