-- Security definer: client roles have no write privilege on members.
-- Locks: structure (exclusive), then balances by uid.
-- Raises: forbidden, own_account, user_not_found, invalid_argument.
-- Idempotent: setting the same value again changes nothing.
create or replace function api.set_no_assess(p_uid bigint, p_no_assess boolean)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was boolean;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  perform app.lock_structure();
  v_was := (select u.no_assess from app.users as u where u.uid = p_uid);
  perform app.set_no_assess(p_uid, p_no_assess, auth.uid(), null);
  perform app.record_action(
    'set_no_assess', 'member', p_uid::text, jsonb_build_object('no_assess', v_was), jsonb_build_object('no_assess', p_no_assess)
  );
  return jsonb_build_object('uid', p_uid, 'no_assess', p_no_assess);
end
$$;

comment on function api.set_no_assess is
  'Sets whether a member''s orders count for the tasks of their upline (R9). Serves PUT /adminapi/hjf/member/{uid}/no_assess.';

grant execute on function api.set_no_assess(bigint, boolean) to store_admin;
