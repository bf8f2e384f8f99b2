-- The access tokens of WeChat apps and the tickets of their pages, which all instances of the edge functions share.

-- Security definer: no client role may read app.wechat_tokens.
create or replace function api.get_wechat_token(p_appid text)
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(t.token) from app.wechat_tokens as t
  where t.appid = p_appid and t.kind = 'access_token' and t.expires_at > clock_timestamp() + interval '5 minutes'
$$;

comment on function api.get_wechat_token is
  'Returns the access token of a WeChat app if it is valid for at least five more minutes, otherwise null.';

grant execute on function api.get_wechat_token(text) to service_role;

-- Locks: the row of the ticket, so that one of several concurrent calls asks WeChat.
-- Not idempotent: a second call within ten seconds does not ask. That is longer than WeChat may take.
create or replace function api.claim_wechat_ticket(p_appid text, p_url text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_saved app.wechat_tokens;
  v_state text;
begin
  if coalesce(char_length(p_appid) > 64, true) then
    perform app.fail('invalid_argument', 'The app id is missing or too long.');
  elsif app.origin_of(p_url) is distinct from (select app.origin_of(s.h5_share_url) from app.settings as s) then
    perform app.fail(
      'invalid_argument', 'Only pages of the store are signed: the address must begin like the share link URL.', '/url'
    );
  end if;
  select t.* into v_saved from app.wechat_tokens as t where t.appid = p_appid and t.kind = 'jsapi_ticket';
  if v_saved.token is null and v_saved.expires_at > v_now then
    v_state := 'failed';
  elsif v_saved.expires_at > v_now + interval '5 minutes' then
    v_state := 'known';
  else
    insert into app.wechat_tokens as t (appid, kind, expires_at, asking_until) values (
      p_appid, 'jsapi_ticket', v_now, v_now + interval '10 seconds'
    )
    on conflict (appid, kind) do update set asking_until = excluded.asking_until
    -- Not if another request has saved a ticket meanwhile.
    where coalesce(t.asking_until <= v_now, true) and t.expires_at = v_saved.expires_at;
    v_state := case when found then 'ask' else 'wait' end;
  end if;
  return jsonb_build_object('state', v_state, 'ticket', case when v_state = 'known' then v_saved.token end);
end
$$;

comment on function api.claim_wechat_ticket is
  'Returns {state, ticket} to sign a page of the store. known: valid for five more minutes. ask: the caller asks '
  'WeChat and saves the answer. wait: somebody else asks. failed: WeChat gave none a moment ago. First step of GET '
  '/api/wechat/signature.';

grant execute on function api.claim_wechat_ticket(text, text) to service_role;

-- Security definer: no client role may write app.wechat_tokens.
-- Idempotent: the last token replaces the one before.
create or replace function api.save_wechat_token(
  p_appid text, p_token text, p_expires_in integer, p_kind text default 'access_token'
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.wechat_tokens (appid, kind, token, expires_at)
  values (p_appid, p_kind, p_token, clock_timestamp() + make_interval(secs => p_expires_in))
  on conflict (appid, kind) do update set token = excluded.token, expires_at = excluded.expires_at, asking_until = null;
  return '{}';
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the token is missing or too large.');
end
$$;

comment on function api.save_wechat_token is
  'Stores the access token of a WeChat app, or its ticket, for p_expires_in seconds. Null: WeChat gave none, and is '
  'not asked during that time.';

grant execute on function api.save_wechat_token(text, text, integer, text) to service_role;
