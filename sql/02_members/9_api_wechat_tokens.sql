-- The access tokens of WeChat apps, which all instances of the edge functions share.

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

-- Security definer: no client role may write app.wechat_tokens.
-- Idempotent: the last token replaces the one before.
create or replace function api.save_wechat_token(p_appid text, p_access_token text, p_expires_in integer)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.wechat_tokens (appid, access_token, expires_at)
  values (p_appid, p_access_token, clock_timestamp() + make_interval(secs => p_expires_in))
  on conflict (appid) do update set access_token = excluded.access_token, expires_at = excluded.expires_at;
  return '{}';
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the token is missing or too large.');
end
$$;

comment on function api.save_wechat_token is
  'Stores the access token of a WeChat app, so that all instances of the edge functions share it. p_expires_in is in seconds.';

grant execute on function api.save_wechat_token(text, text, integer) to service_role;
