-- Task counts, counted again from orders and the tree: of one member from the orders below, or of all members.

-- The first three reasons are the parts of app.is_counted, one by one: the function cannot say which of them an order
-- lacks.
create or replace function app.downline_orders(p_uid bigint)
returns table (order_id bigint, uid bigint, is_direct boolean, reason text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive downline as (
    select u.uid, u.no_assess, true as is_direct from app.users as u where u.spread_uid = p_uid
    union all
    select u.uid, u.no_assess, false from downline as d join app.users as u on u.spread_uid = d.uid
  )
  select o.id, d.uid, d.is_direct, case
    when o.queue_units = 0 or o.refund_status = 2 then 'refunded'
    when o.below_minimum then 'below_minimum'
    when o.refund_status = 1 then 'refund_requested'
    when s.state is null then 'not_settled'
    when d.no_assess then 'member_not_assessed'
  end
  from downline as d
  join app.orders as o on o.uid = d.uid and o.paid_at is not null and o.has_queue_goods
  left join app.settlements as s on s.order_id = o.id
$$;

comment on function app.downline_orders is
  'Returns every paid order with queue goods below a member, and why it does not count for the member''s tasks; null: '
  'it counts (R8, R9).';

-- Reads the whole downline.
create or replace function app.count_downline(p_uid bigint)
returns table (direct_orders integer, umbrella_orders integer, direct_members integer, umbrella_members integer)
language sql
stable
rows 1
set search_path = pg_catalog, pg_temp
-- The planner overestimates the recursion. Compiling the query for its estimate takes longer than running it.
set jit = off
as $$
  select
    (count(*) filter (where o.is_direct))::integer,
    count(*)::integer,
    (count(distinct o.uid) filter (where o.is_direct))::integer,
    (count(distinct o.uid))::integer
  from app.downline_orders(p_uid) as o
  where o.reason is null
$$;

comment on function app.count_downline is
  'Computes the task counts of a member from the orders below them (R8, R9), which app.user_balances must equal.';

-- Precondition: the caller holds the structure lock exclusively.
-- Locks: balances by uid.
-- Idempotent: the result depends on the orders only.
create or replace function app.rebuild_task_counts(p_uids bigint[])
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

comment on function app.rebuild_task_counts is
  'Writes the task counts of members anew, from the orders below them (R8, R9).';

-- Walks up from each member with counted orders.
create or replace function app.computed_task_counts(p_position bigint default null)
returns table (
  uid bigint, own_orders integer, direct_orders integer, umbrella_orders integer, direct_members integer,
  umbrella_members integer
)
language sql
stable
set search_path = pg_catalog, pg_temp
-- The planner overestimates the depth of the tree; JIT compilation for that estimate takes longer than the query.
set jit = off
as $$
  with recursive changed as (
    select distinct r.order_id from app.refunds as r where r.position >= p_position or r.decided_position >= p_position
  ),
  own as (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    join app.settlements as s on s.order_id = o.id and s.state in ('settled', 'imported')
      and (p_position is null or s.position < p_position)
    left join changed as c on c.order_id = o.id
    left join lateral (
      select a.* from app.order_at(c.order_id, null, p_position - 1, false) as a where c.order_id is not null
    ) as a on true
    where app.is_counted(coalesce(a.units, o.queue_units), coalesce(a.refund_status, o.refund_status), o.below_minimum)
    group by o.uid
  ),
  assessed as (
    select u.uid, case when p_position is null or u.spread_position < p_position then u.spread_uid end as spread_uid,
      coalesce((
      select n.from_value from app.no_assess_changes as n where n.uid = u.uid and n.position >= p_position
      order by n.position limit 1
    ), u.no_assess) as no_assess
    from app.users as u
  ),
  upward as (
    select u.spread_uid as uid, 1 as depth, w.orders
    from own as w join assessed as u on u.uid = w.uid
    where not u.no_assess and u.spread_uid is not null
    union all
    select u.spread_uid, p.depth + 1, p.orders
    from upward as p join assessed as u on u.uid = p.uid
    where u.spread_uid is not null
  ),
  counted as (
    select
      p.uid,
      coalesce(sum(p.orders) filter (where p.depth = 1), 0)::integer as direct_orders,
      sum(p.orders)::integer as umbrella_orders,
      (count(*) filter (where p.depth = 1))::integer as direct_members, count(*)::integer as umbrella_members
    from upward as p
    group by p.uid
  )
  select
    coalesce(c.uid, w.uid), coalesce(w.orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0),
    coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0)
  from counted as c full join own as w on w.uid = c.uid
$$;

comment on function app.computed_task_counts is
  'Computes the task counts of all members from the orders (R8, R9), as they are now or were before p_position.';
