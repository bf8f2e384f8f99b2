-- PUT /adminapi/agent/level: replaces the level settings as a whole; with p_version only if that version is still in force, so
-- that nobody undoes what they have not seen.
-- Security definer: settings are written by functions only. Locks: structure (own).
-- Raises: forbidden, changed_meanwhile, levels_invalid. Safe twice without p_version, else the second time is refused.
create or replace function api.set_agent_levels(p_levels jsonb, p_version integer default null)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
begin
  perform app.require_admin();
  perform app.own_structure();
  if p_version <> (select max(v.version) from app.level_versions as v) then
    perform app.fail('changed_meanwhile', 'Somebody else has changed the levels since you read them.');
  end if;
  v_before := app.level_settings();
  perform app.set_agent_levels(p_levels, auth.uid(), null);
  v_after := app.level_settings();
  perform app.record_action('set_agent_levels', 'agent_levels', v_after ->> 'version', v_before, v_after, '{version, levels}');
  return api.get_agent_levels();
end
$$;

grant execute on function api.set_agent_levels(jsonb, integer) to store_admin;
