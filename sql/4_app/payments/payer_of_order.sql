create or replace function app.payer_of_order(p_order_id bigint, p_openid text, out openid text, out appid text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  select a.openid, a.appid into openid, appid
  from app.orders as o
  join app.users as u on u.uid = o.uid
  join app.wechat_accounts as a on a.auth_id = u.auth_id
  where o.id = p_order_id and (p_openid is null or a.openid = p_openid);
end
$$;

comment on function app.payer_of_order is
  'Returns the id of an order''s buyer at WeChat and the app of that id, or nulls if the buyer does not sign in with WeChat. With '
  'p_openid only if it is that id.';
