-- Every member's task counters counted anew from the orders (R8, R9), all members at once: walks up from each member
-- with counted orders. With p_settled_before only orders settled earlier count.
-- Callers: reconcile_counters, copy_members. Reads only.
create or replace function app.recount_counters(p_settled_before timestamptz default 'infinity')
returns table (
  uid bigint, own_orders integer, direct_orders integer, umbrella_orders integer, direct_members integer, umbrella_members integer
)
language sql
stable
set search_path = pg_catalog, pg_temp
-- The planner cannot know how deep the tree is; compiling for its guess takes longer than the query.
set jit = off
as $$
  with recursive own as (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    join app.settlements as s on s.order_id = o.id and s.state = 'settled' and s.settled_at < p_settled_before
    where o.refund_status in (0, 3) and o.queue_units > 0
    group by o.uid
  ),
  upward as (
    select u.spread_uid as uid, 1 as depth, w.orders
    from own as w join app.users as u on u.uid = w.uid
    where not u.no_assess and u.spread_uid is not null
    union all
    select u.spread_uid, p.depth + 1, p.orders
    from upward as p join app.users as u on u.uid = p.uid
    where u.spread_uid is not null
  ),
  counted as (
    select
      p.uid,
      coalesce(sum(p.orders) filter (where p.depth = 1), 0)::integer as direct_orders, sum(p.orders)::integer as umbrella_orders,
      (count(*) filter (where p.depth = 1))::integer as direct_members, count(*)::integer as umbrella_members
    from upward as p
    group by p.uid
  )
  select
    coalesce(c.uid, w.uid), coalesce(w.orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0),
    coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0)
  from counted as c full join own as w on w.uid = c.uid
$$;
