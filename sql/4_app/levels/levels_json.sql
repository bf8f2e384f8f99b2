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

comment on function app.levels_json is
  'Returns the level settings in force: [{grade, name, name_zh, direct_points, umbrella_points, is_active, tasks}], with tasks '
  'as {type: target}.';

grant execute on function app.levels_json() to store_admin;
