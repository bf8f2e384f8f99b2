-- An order as administrators see it: as its buyer does, with the names of the buyer and of the referrer.
-- Callers: admin_get_orders, admin_get_order. Reads only, with the rights of whoever calls.
create or replace function app.admin_order_json(p_order app.orders)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.order_json(p_order) || jsonb_build_object(
    'nickname', (select u.nickname from app.users as u where u.uid = p_order.uid),
    'referrer_nickname', (select u.nickname from app.users as u where u.uid = p_order.referrer_uid)
  )
$$;

grant execute on function app.admin_order_json(app.orders) to store_admin;
