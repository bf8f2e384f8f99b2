create or replace function app.simulated_uids(p_orders app.simulated_order[], p_start bigint, p_to timestamptz)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with recursive members as (
    select u.uid, u.spread_uid
    from app.users as u
    where u.uid in (
      select o.uid from unnest(p_orders) as o
      union all
      select o.uid from app.refunds as r join app.orders as o on o.id = r.order_id
      where r.position >= p_start or r.decided_position >= p_start
      union all
      select n.uid from app.no_assess_changes as n where n.position >= p_start
      union all
      select c.uid from app.level_changes as c where c.position >= p_start and c.reason <> 'tasks'
      union all
      select b.uid from app.users as b where b.spread_position >= p_start and b.spread_uid is not null
    )
    union
    select r.uid, r.spread_uid from members as m join app.users as r on r.uid = m.spread_uid
  )
  select coalesce(array_agg(m.uid order by m.uid), '{}') from members as m
$$;

comment on function app.simulated_uids is
  'Returns the members that a simulation needs, sorted: buyers, members who change in the period, and the uplines of all of '
  'them.';
