-- Sign-ups and payments go on meanwhile; their changes wait in the queue. Readers see the old totals until the commit.
-- Members and orders are read by one statement, and written once: with a million members, app.apply_team_changes would take minutes.
-- Locks: the advisory lock team_totals.
-- Idempotent: the result depends on members and orders only.
create or replace function app.rebuild_team_totals()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
-- Nested loops over arrays would take quadratic time (see app.add_up_team).
set enable_nestloop = off
set jit = off
as $$
declare
  v_store record;
begin
  perform pg_advisory_xact_lock(app.lock_number('team_totals'));
  delete from app.team_totals where true;
  select
    array_agg(u.uid) as uids, array_agg(u.spread_uid) as referrers,
    array_agg((u.uid, u.spread_uid, 1, coalesce(r.orders, 0), 0, 0)::app.team_change) as members
  into v_store
  from app.users as u
  left join (
    select o.uid, count(*)::integer as orders
    from app.orders as o where app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum) group by o.uid
  ) as r on r.uid = u.uid;
  insert into app.team_totals (uid, spread_uid, own_orders, direct_members, direct_orders, umbrella_members, umbrella_orders)
  select
    m.uid, m.spread_uid, m.orders,
    coalesce(s.direct_members, 0), coalesce(s.direct_orders, 0), coalesce(s.umbrella_members, 0), coalesce(s.umbrella_orders, 0)
  from unnest(v_store.members) as m
  left join app.add_up_team(v_store.uids, v_store.referrers, v_store.members) as s on s.uid = m.uid;
end
$$;

comment on function app.rebuild_team_totals is
  'Sums the team totals of all members anew. For use after a finding of app.reconcile_team_totals, or after a migration that '
  'changes what is counted.';
