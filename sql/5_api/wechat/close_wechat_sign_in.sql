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
  update app.wechat_accounts set sign_in_id = null, sign_in_until = null where sign_in_id = p_sign_in returning auth_id into v_auth_id;
  return (
    select jsonb_build_object('uid', u.uid, 'spread_bound', coalesce(u.spread_uid = p_spread_uid, false))
    from app.users as u where u.auth_id = v_auth_id
  );
end
$$;

comment on function api.close_wechat_sign_in is
  'Ends a sign-in of a WeChat user, so that the next one can begin. Returns the uid of the member, and whether p_spread_uid is the '
  'member''s referrer. Serves POST /api/auth/wechat, as its last step.';

grant execute on function api.close_wechat_sign_in(uuid, bigint) to service_role;
