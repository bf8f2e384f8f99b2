-- Security invoker: reads with the rights of the caller.
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

comment on function app.admin_order_json is
  'Returns an order as administrators see it: in the form of app.order_json, with the nicknames of buyer and referrer.';

grant execute on function app.admin_order_json(app.orders) to store_admin;
