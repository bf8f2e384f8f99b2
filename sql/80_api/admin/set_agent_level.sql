-- PUT /adminapi/hjf/member/{uid}/level: sets a member's grade by hand.
-- Security definer: members are written by functions only. Locks: structure (own).
-- Raises: forbidden, own_account, user_not_found, level_unknown. Safe twice.
create or replace function api.set_agent_level(p_uid bigint, p_grade smallint)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was smallint;
begin
  perform app.require_admin();
  perform app.refuse_own_member(p_uid);
  perform app.own_structure();
  v_was := (select u.agent_level from app.users as u where u.uid = p_uid);
  perform app.set_agent_level(p_uid, p_grade, auth.uid(), null);
  perform app.record_action(
    'set_agent_level', 'member', p_uid::text, jsonb_build_object('agent_level', v_was), jsonb_build_object('agent_level', p_grade)
  );
  return jsonb_build_object('uid', p_uid, 'agent_level', p_grade);
end
$$;

grant execute on function api.set_agent_level(bigint, smallint) to store_admin;
