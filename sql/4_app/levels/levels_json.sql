-- The level settings in force, as a whole: [{grade, name, name_zh, direct_points, umbrella_points, is_active, tasks}],
-- tasks as {type: target}. Callers: set_agent_levels, api.get_agent_levels, initial state.
create or replace function app.levels_json()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_agg(jsonb_build_object(
    'grade', l.grade, 'name', l.name, 'name_zh', l.name_zh, 'direct_points', trim_scale(l.direct_points),
    'umbrella_points', trim_scale(l.umbrella_points), 'is_active', l.is_active,
    'tasks', coalesce((
      select jsonb_object_agg(t.type, t.target) from app.agent_level_tasks as t where t.grade = l.grade
    ), '{}')
  ) order by l.grade)
  from app.agent_levels as l
$$;

grant execute on function app.levels_json() to store_admin;
