-- Task counts, counted again from orders and the tree.

create or replace function app.order_at(
  p_order_id bigint, p_at timestamptz, p_position bigint, p_by_time boolean,
  out base numeric, out units integer, out refund_status smallint
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with refunds as (
    select
      r.id, r.state,
      case when p_by_time then (r.decided_at, r.decided_position) <= (p_at, p_position) else r.decided_position <= p_position end as is_decided,
      case when p_by_time then (r.created_at, r.position) <= (p_at, p_position) else r.position <= p_position end as is_requested
    from app.refunds as r
    where r.order_id = p_order_id
  ),
  lines as (
    select l.paid, l.quantity, l.is_queue_goods, coalesce((
      select sum(i.quantity) from app.refund_lines as i join refunds as r on r.id = i.refund_id
      where i.line_id = l.id and r.state = 'refunded' and r.is_decided
    ), 0)::integer as refunded
    from app.order_lines as l
    where l.order_id = p_order_id
  )
  select
    coalesce(sum(app.amount_left(l.paid, l.quantity, l.refunded)) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity - l.refunded) filter (where l.is_queue_goods), 0),
    case
      when sum(l.quantity - l.refunded) = 0 then 2
      when exists (select from refunds as r where r.is_requested and not coalesce(r.is_decided, false)) then 1
      when sum(l.refunded) > 0 then 3
      else 0
    end
  from lines as l
$$;

comment on function app.order_at is
  'Returns what was left of an order''s queue goods, and its refund status, right after the events up to a key. The key is '
  'p_position; with p_by_time it is (p_at, p_position).';

-- Walks up from each member with counted orders.
create or replace function app.recount_counters(p_position bigint default null)
returns table (
  uid bigint, own_orders integer, direct_orders integer, umbrella_orders integer, direct_members integer, umbrella_members integer
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
    join app.settlements as s on s.order_id = o.id and s.state in ('settled', 'imported') and (p_position is null or s.position < p_position)
    left join changed as c on c.order_id = o.id
    left join lateral (select a.* from app.order_at(c.order_id, null, p_position - 1, false) as a where c.order_id is not null) as a on true
    where app.is_counted(coalesce(a.units, o.queue_units), coalesce(a.refund_status, o.refund_status), o.below_minimum)
    group by o.uid
  ),
  assessed as (
    select u.uid, case when p_position is null or u.spread_position < p_position then u.spread_uid end as spread_uid, coalesce((
      select n.from_value from app.no_assess_changes as n where n.uid = u.uid and n.position >= p_position order by n.position limit 1
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

comment on function app.recount_counters is
  'Recomputes the task counts of all members from the orders (R8, R9), as they are now or, with p_position, as they were before '
  'that position.';
