-- Security definer: no client role may write app.users.
-- Locks: the member; see claim_member.
-- Raises: user_not_found, invalid_argument.
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
  'Stores the phone number that WeChat has confirmed for a member, with country code and without "+", as the Auth server stores '
  'numbers. If the number is that of an imported member whom nobody has claimed, the account gets that member, whose uid is returned. '
  'Last step of POST /api/user/phone.';

grant execute on function api.set_phone(bigint, text) to service_role;
