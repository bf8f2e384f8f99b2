-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_free_balances(p_uids bigint[])
returns setof bigint
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select b.uid from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update skip locked
$$;

comment on function app.lock_free_balances is
  'Locks the balance rows that no other transaction holds, by ascending uid, and returns their uids. Never waits.';
