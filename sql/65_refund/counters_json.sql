-- The task counters of a buyer's upline, by uid, of those for whom they are kept. Callers: preview_refund. Reads only.
create or replace function app.counters_json(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_object_agg(b.uid, jsonb_build_object(
    'direct_orders', b.direct_orders, 'umbrella_orders', b.umbrella_orders,
    'direct_members', b.direct_members, 'umbrella_members', b.umbrella_members
  )), '{}')
  from app.orders as o
  cross join lateral app.get_upline(o.uid) as a
  join app.user_balances as b on b.uid = a.uid
  where o.id = p_order_id and a.agent_level < (select app.top_grade())
$$;
