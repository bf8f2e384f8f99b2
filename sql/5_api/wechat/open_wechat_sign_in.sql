-- Security definer: no client role may read or write app.wechat_accounts.
-- Locks: the row of the WeChat user.
-- Raises: invalid_argument.
-- Idempotent: while a sign-in is in progress, other calls return null.
create or replace function api.open_wechat_sign_in(p_appid text, p_openid text, p_unionid text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_account app.wechat_accounts;
begin
  insert into app.wechat_accounts as a (appid, openid, unionid, sign_in_id, sign_in_until)
  values (p_appid, p_openid, p_unionid, gen_random_uuid(), v_now + interval '20 seconds')
  on conflict (appid, openid) do update
  set unionid = coalesce(excluded.unionid, a.unionid), sign_in_id = excluded.sign_in_id, sign_in_until = excluded.sign_in_until
  where a.sign_in_until is null or a.sign_in_until <= v_now
  returning a.* into v_account;
  if not found then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'sign_in', v_account.sign_in_id, 'auth_id', v_account.auth_id, 'email', coalesce(u.email, v_account.email), 'is_registered', u.id is not null
    )
    from (values (v_account.auth_id)) as a (auth_id) left join auth.users as u on u.id = a.auth_id
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A WeChat id is missing or too long.');
end
$$;

comment on function api.open_wechat_sign_in is
  'Begins a sign-in of a WeChat user: returns its id, id and email address of the Auth account, and whether the account exists. '
  'Returns null while another sign-in of the user is in progress, for at most 20 seconds. First step of POST /api/auth/wechat.';

grant execute on function api.open_wechat_sign_in(text, text, text) to service_role;
