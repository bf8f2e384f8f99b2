-- PUT /adminapi/hjf/member/{uid}/level: sets a member's grade by hand.
-- Security definer: members are written by functions only. Raises: forbidden, user_not_found, level_unknown. Safe twice.
create or replace function api.set_agent_level(p_uid bigint, p_grade smallint)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.set_agent_level(p_uid, p_grade, auth.uid(), null);
  return jsonb_build_object('uid', p_uid, 'agent_level', p_grade);
end
$$;

grant execute on function api.set_agent_level(bigint, smallint) to store_admin;
