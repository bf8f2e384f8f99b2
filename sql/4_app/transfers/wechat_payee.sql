create or replace function app.wechat_payee(p_uid bigint)
returns table (appid text, openid text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select a.appid, a.openid from app.users as u join app.wechat_accounts as a on a.auth_id = u.auth_id where u.uid = p_uid
$$;

comment on function app.wechat_payee is 'Returns the WeChat account with which a member signs in; no row if there is none.';
