-- Nested loops over arrays would take quadratic time, and the planner does not know how long the arrays are. `rows` is low, so that
-- the planner looks up each row of the result by key, even if app.team_totals was small when the query plan was made.
create or replace function app.add_up_team(p_uids bigint[], p_referrers bigint[], p_changes app.team_change[])
returns table (uid bigint, direct_members integer, direct_orders integer, umbrella_members integer, umbrella_orders integer)
language plpgsql
immutable
rows 10
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = on
set enable_nestloop = off
set jit = off
as $$
declare
  v_tree record;
  v_sums record;
begin
  with members as (
    select m.uid, m.referrer, m.number::integer from unnest(p_uids, p_referrers) with ordinality as m (uid, referrer, number)
  )
  select
    array_agg(r.number order by m.number) as referrers,
    array_agg(coalesce(c.members + c.members_below, 0) order by m.number) as members,
    array_agg(coalesce(c.orders + c.orders_below, 0) order by m.number) as orders
  into v_tree
  from members as m left join members as r on r.uid = m.referrer left join unnest(p_changes) as c on c.uid = m.uid;

  v_sums := app.add_up_tree(v_tree.referrers, v_tree.members, v_tree.orders);
  return query
    select m.uid, coalesce(d.members, 0), coalesce(d.orders, 0), m.members, m.orders
    from unnest(p_uids, v_sums.members, v_sums.orders) as m (uid, members, orders)
    left join (
      select c.spread_uid, sum(c.members)::integer as members, sum(c.orders)::integer as orders
      from unnest(p_changes) as c
      group by c.spread_uid
    ) as d on d.spread_uid = m.uid
    where m.members <> 0 or m.orders <> 0 or d.spread_uid is not null;
end
$$;

comment on function app.add_up_team is
  'Returns what changes add to the team totals of the members of a tree. p_uids are the changed members and everyone above, '
  'p_referrers their referrers. Members to whose totals nothing is added are left out. It reads no table.';
