-- Security definer: no client role may read app.wechat_tokens.
create or replace function api.get_wechat_token(p_appid text)
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(t.access_token) from app.wechat_tokens as t
  where t.appid = p_appid and t.expires_at > clock_timestamp() + interval '5 minutes'
$$;

comment on function api.get_wechat_token is
  'Returns the access token of a WeChat app if it is valid for at least five more minutes, otherwise null.';

grant execute on function api.get_wechat_token(text) to service_role;
