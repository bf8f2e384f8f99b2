-- Members below the top grade whose kept counters differ from a recount of the orders below them (R8, R9), and members
-- whose count of own orders does.
-- Callers: reconcile. Reads only; walks up from every member with counted orders.
create or replace function app.reconcile_counters()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = ''
as $$
  with recursive own as (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    join app.settlements as s on s.order_id = o.id and s.state = 'settled'
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
      coalesce(sum(p.orders) filter (where p.depth = 1), 0) as direct_orders, sum(p.orders) as umbrella_orders,
      count(*) filter (where p.depth = 1) as direct_members, count(*) as umbrella_members
    from upward as p
    group by p.uid
  )
  select
    'counters_equal_recount', format('uid %s', b.uid),
    format('%s %s %s %s', coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0), coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0)),
    format('%s %s %s %s', b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members)
  from app.user_balances as b
  join app.users as u on u.uid = b.uid
  left join counted as c on c.uid = b.uid
  where u.agent_level < app.top_grade()
    and (b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members) is distinct from (
      coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0), coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0)
    )
  union all
  select 'own_orders_equal_recount', format('uid %s', b.uid), coalesce(w.orders, 0)::text, b.own_orders::text
  from app.user_balances as b
  left join own as w on w.uid = b.uid
  where b.own_orders <> coalesce(w.orders, 0)
$$;
