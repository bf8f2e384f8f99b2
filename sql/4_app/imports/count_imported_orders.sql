-- The row of each balance is written once.
-- Precondition: the caller owns the structure lock, and the orders are settled.
-- Locks: balances by uid.
-- Not idempotent: each call adds the orders.
create or replace function app.count_imported_orders(p_order_nos text[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_buyers bigint[];
  v_orders integer[];
  v_changes app.team_change[];
  v_tree record;
  v_top constant smallint := app.top_grade();
begin
  select array_agg(c.uid order by c.uid), array_agg(c.orders order by c.uid) into v_buyers, v_orders
  from (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    where o.order_no = any (p_order_nos) and o.paid_at is not null and app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
    group by o.uid
  ) as c;
  with recursive tree as (
    select u.uid, u.spread_uid from unnest(v_buyers) as b (uid) join app.users as u on u.uid = b.uid
    union
    select r.uid, r.spread_uid from tree as t join app.users as r on r.uid = t.spread_uid
  )
  select array_agg(t.uid) as uids, array_agg(t.spread_uid) as referrers into v_tree from tree as t;
  perform app.lock_balances(v_tree.uids);

  -- A buyer counts as a member from the first order that counts (R8); orders of members who are not assessed do not count (R9).
  select array_agg((c.uid, u.spread_uid, (b.own_orders = 0)::integer, c.orders, 0, 0)::app.team_change) into v_changes
  from unnest(v_buyers, v_orders) as c (uid, orders)
  join app.users as u on u.uid = c.uid and not u.no_assess
  join app.user_balances as b on b.uid = c.uid;
  with added as materialized (select s.* from app.add_up_team(v_tree.uids, v_tree.referrers, v_changes) as s),
  counts as materialized (
    select
      coalesce(c.uid, t.uid) as uid, coalesce(c.orders, 0) as own_orders, coalesce(t.direct_orders, 0) as direct_orders,
      coalesce(t.direct_members, 0) as direct_members, coalesce(t.umbrella_orders, 0) as umbrella_orders, coalesce(t.umbrella_members, 0) as umbrella_members
    from unnest(v_buyers, v_orders) as c (uid, orders)
    full join (select s.* from added as s join app.users as u on u.uid = s.uid and u.agent_level < v_top) as t on t.uid = c.uid
  )
  update app.user_balances as b
  set own_orders = b.own_orders + c.own_orders,
      direct_orders = b.direct_orders + c.direct_orders, direct_members = b.direct_members + c.direct_members,
      umbrella_orders = b.umbrella_orders + c.umbrella_orders, umbrella_members = b.umbrella_members + c.umbrella_members
  from counts as c
  where b.uid = c.uid;
end
$$;

comment on function app.count_imported_orders is
  'Adds orders that were just imported to the count of their buyers'' own orders and to the task counts of every ancestor who is below '
  'the top grade (R8, R9). Nobody rises: imported members have the level that they brought.';
