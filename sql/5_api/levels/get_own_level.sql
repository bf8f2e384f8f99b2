-- Security definer: the function has no parameter and reads only the member of the verified token, and the settings that all
-- members may know.
-- Raises: unauthenticated.
create or replace function api.get_own_level()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object(
      'agent_level', u.agent_level, 'is_held', u.is_held, 'next', app.next_level_json(u, b),
      'levels', jsonb_path_query_array(app.levels_json(), '$[*] ? (@.is_active == true)')
    )
    from app.users as u join app.user_balances as b on b.uid = u.uid
    where u.uid = v_uid
  );
end
$$;

comment on function api.get_own_level is
  'Returns the level of the caller, the active levels with their points and tasks, and how far the caller is with the tasks of '
  'the next one. Serves GET /api/agent/level.';

grant execute on function api.get_own_level() to authenticated, store_admin;
