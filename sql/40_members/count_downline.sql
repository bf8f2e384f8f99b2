-- Counts a member's task counters from the orders themselves (R8, R9): the truth the kept counters must equal.
-- Counted are settled orders with refund_status 0 or 3 of members who are not flagged no_assess; the people below a
-- flagged member still count. Callers: rebuild_counters, reconcile_counters (one member's form), bind_spread.
create or replace function app.count_downline(p_uid bigint)
returns table (direct_orders integer, umbrella_orders integer, direct_members integer, umbrella_members integer)
language sql
stable
set search_path = ''
as $$
  with recursive downline as (
    select u.uid, u.no_assess, true as is_direct from app.users as u where u.spread_uid = p_uid
    union all
    select u.uid, u.no_assess, false from downline as d join app.users as u on u.spread_uid = d.uid
  ),
  members as (
    select d.is_direct, count(o.id)::integer as orders
    from downline as d
    join app.orders as o on o.uid = d.uid and o.refund_status in (0, 3) and o.queue_units > 0
    join app.settlements as s on s.order_id = o.id and s.state = 'settled'
    where not d.no_assess
    group by d.uid, d.is_direct
  )
  select
    coalesce(sum(m.orders) filter (where m.is_direct), 0)::integer,
    coalesce(sum(m.orders), 0)::integer,
    (count(*) filter (where m.is_direct))::integer,
    count(*)::integer
  from members as m
$$;
