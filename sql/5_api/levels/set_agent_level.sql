-- Security definer: client roles have no write privilege on members.
-- Locks: structure (exclusive), then the member's balances.
-- Raises: forbidden, own_account, user_not_found, level_unknown.
-- Idempotent: setting the same grade and hold again changes nothing.
create or replace function api.set_agent_level(p_uid bigint, p_grade smallint, p_held boolean default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was app.users;
  v_is app.users;
begin
  perform app.require_admin('members');
  perform app.reject_own_member(p_uid);
  perform app.lock_structure();
  select u.* into v_was from app.users as u where u.uid = p_uid;
  v_is := app.set_agent_level(p_uid, p_grade, auth.uid(), null, p_held);
  perform app.record_action(
    'set_agent_level', 'member', p_uid::text, jsonb_build_object('agent_level', v_was.agent_level, 'hold', v_was.is_held),
    jsonb_build_object('agent_level', v_is.agent_level, 'hold', v_is.is_held)
  );
  return jsonb_build_object('uid', p_uid, 'agent_level', v_is.agent_level, 'hold', v_is.is_held);
end
$$;

comment on function api.set_agent_level is
  'Sets a member''s grade by hand and whether tasks still raise it. With p_held null, lowering a member holds the level; '
  'otherwise the hold stays as it is. Serves PUT /adminapi/hjf/member/{uid}/level.';

grant execute on function api.set_agent_level(bigint, smallint, boolean) to store_admin;
