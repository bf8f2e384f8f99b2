-- GET /api/user: the member who calls. Raises: unauthenticated.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function api.get_me()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In a variable: the planner evaluates a stable function of a condition for its estimates, and this one may raise.
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object(
      'uid', u.uid, 'nickname', u.nickname, 'spread_uid', u.spread_uid, 'agent_level', u.agent_level,
      'agent_level_name', l.name, 'no_assess', u.no_assess, 'add_time', app.utc(u.add_time)
    )
    from app.users as u join app.agent_levels as l on l.grade = u.agent_level
    where u.uid = v_uid
  );
end
$$;

grant execute on function api.get_me() to authenticated, store_admin;
