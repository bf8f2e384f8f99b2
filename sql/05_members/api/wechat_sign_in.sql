-- What clients may call to sign in with WeChat and to prove a phone number, which may claim an imported member.

-- Security definer: no client role may write app.wechat_accounts.
-- Locks: the row of the WeChat user.
-- Idempotent: a sign-in that is not in progress any more returns null.
create or replace function api.close_wechat_sign_in(p_sign_in uuid, p_spread_uid bigint default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid;
begin
  update app.wechat_accounts set sign_in_id = null, sign_in_until = null where sign_in_id = p_sign_in returning auth_id
  into v_auth_id;
  return (
    select jsonb_build_object('uid', u.uid, 'spread_bound', coalesce(u.spread_uid = p_spread_uid, false))
    from app.users as u where u.auth_id = v_auth_id
  );
end
$$;

comment on function api.close_wechat_sign_in is
  'Ends a sign-in of a WeChat user: {uid, spread_bound}. spread_bound: p_spread_uid is the referrer. Serves POST '
  '/api/auth/wechat, as its last step.';

grant execute on function api.close_wechat_sign_in(uuid, bigint) to service_role;

-- Security definer: no client role may read or write app.wechat_accounts.
-- Locks: the row of the WeChat user.
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
  set unionid = coalesce(excluded.unionid, a.unionid), sign_in_id = excluded.sign_in_id,
    sign_in_until = excluded.sign_in_until
  where a.sign_in_until is null or a.sign_in_until <= v_now
  returning a.* into v_account;
  if not found then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'sign_in', v_account.sign_in_id, 'auth_id', v_account.auth_id, 'email', coalesce(u.email, v_account.email),
      'is_registered', u.id is not null
    )
    from (values (v_account.auth_id)) as a (auth_id) left join auth.users as u on u.id = a.auth_id
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A WeChat id is missing or too long.');
end
$$;

comment on function api.open_wechat_sign_in is
  'Begins a sign-in of a WeChat user: {sign_in, auth_id, email, is_registered}. Null while another one is in progress, '
  'for at most 20 seconds. First step of POST /api/auth/wechat.';

grant execute on function api.open_wechat_sign_in(text, text, text) to service_role;

-- Security definer: no client role may write app.users.
-- Locks: the member; see claim_member.
-- Idempotent: a repeated call leaves the same number.
create or replace function api.set_phone(p_uid bigint, p_phone text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  v_uid := coalesce(app.claim_member((select u.auth_id from app.users as u where u.uid = p_uid), p_phone), p_uid);
  update app.users set phone = p_phone where uid = v_uid and auth_id is not null;
  if not found then
    perform app.fail('user_not_found');
  end if;
  return jsonb_build_object('uid', v_uid, 'phone', p_phone);
exception when check_violation or data_exception then
  perform app.fail('invalid_argument', 'A phone number has at most 32 characters.');
end
$$;

comment on function api.set_phone is
  'Stores the phone number that WeChat has confirmed for a member, with country code and without "+". The account '
  'takes over an unclaimed imported member of this number, whose uid is returned. Last step of POST /api/user/phone.';

grant execute on function api.set_phone(bigint, text) to service_role;
