-- Levels as settings, and what a member is missing for the next one.

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

-- Precondition: the caller holds the structure lock exclusively.
create or replace function app.level_settings()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'version', (select max(v.version) from app.level_versions as v),
    'levels', jsonb_agg(l.value - '{name, name_zh}'::text[] order by l.ordinality),
    'names', jsonb_agg(jsonb_build_array(l.value -> 'name', l.value -> 'name_zh') order by l.ordinality)
  )
  from jsonb_array_elements(app.levels_json()) with ordinality as l
$$;

comment on function app.level_settings is
  'Returns the level settings in force as {version, levels, names}, in the form that app.record_action compares and keeps. '
  'Names are apart from the rest because their text is not recorded.';

create or replace function app.next_level_json(p_user app.users, p_balances app.user_balances)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'agent_level', l.grade, 'agent_level_name', l.name,
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object(
        'type', t.type, 'target', t.target, 'current', c.current, 'missing', greatest(t.target - c.current, 0), 'met', c.current >= t.target
      ) order by t.type)
      from app.agent_level_tasks as t
      cross join lateral (select (to_jsonb(p_balances) ->> t.type)::integer as current) as c
      where t.grade = l.grade
    ), '[]')
  )
  from app.agent_levels as l
  where l.is_active and l.grade > p_user.agent_level
  order by l.grade
  limit 1
$$;

comment on function app.next_level_json is
  'Returns the next active grade above a member, with the target of each of its tasks, the current count and what is '
  'missing. Null at the top grade.';

grant execute on function app.next_level_json(app.users, app.user_balances) to store_admin;

-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.top_grade()
returns smallint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select max(l.grade) from app.agent_levels as l where l.is_active);
end
$$;

comment on function app.top_grade is
  'Returns the highest active grade. Members who hold it cannot rise, so nothing is counted for them and settlements do not '
  'lock their balances for counting.';
