-- Security definer: client roles have no write privilege on levels.
-- Locks: structure (exclusive), then balances by uid.
-- Raises: forbidden, changed_meanwhile, levels_invalid.
-- Idempotent without p_version: settings equal to those in force change nothing. With p_version, a retry raises
-- changed_meanwhile.
create or replace function api.set_agent_levels(p_levels jsonb, p_version integer default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
begin
  perform app.require_admin('plan');
  perform app.lock_structure();
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

comment on function api.set_agent_levels is
  'Replaces all level settings and returns what get_agent_levels returns. With p_version, only while that version is still in '
  'force, so that nobody overwrites a change that they have not seen. Serves PUT /adminapi/agent/level.';

grant execute on function api.set_agent_levels(jsonb, integer) to store_admin;
