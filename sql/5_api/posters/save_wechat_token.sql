-- Keeps the access token of a WeChat app for all instances of the edge functions.
-- Security definer: no role writes the table. Raises: nothing of its own. Safe twice: the last one stays.
create or replace function api.save_wechat_token(p_appid text, p_access_token text, p_expires_in integer)
returns jsonb
language plpgsql
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

grant execute on function api.save_wechat_token(text, text, integer) to service_role;
