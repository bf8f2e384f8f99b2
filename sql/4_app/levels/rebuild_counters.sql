-- Precondition: the caller holds the structure lock exclusively.
-- Locks: balances by uid.
-- Idempotent: the result depends on the orders only.
create or replace function app.rebuild_counters(p_uids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lock_balances(p_uids);
  update app.user_balances as b
  set direct_orders = c.direct_orders, umbrella_orders = c.umbrella_orders,
      direct_members = c.direct_members, umbrella_members = c.umbrella_members
  from unnest(p_uids) as m (uid) cross join lateral app.count_downline(m.uid) as c
  where b.uid = m.uid;
end
$$;

comment on function app.rebuild_counters is 'Recomputes the task counts of members from the orders below them (R8, R9).';
