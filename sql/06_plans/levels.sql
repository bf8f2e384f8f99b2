-- Levels as settings, their validation, and what a member is missing for the next one.

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
  'Returns the level settings in force: [{grade, name, name_zh, direct_points, umbrella_points, is_active, tasks}], '
  'with tasks as {type: target}.';

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
  'Returns the level settings in force for app.record_action: {version, levels, names}. Names are apart, because they '
  'are not recorded.';

create or replace function app.next_level_json(p_user app.users, p_balances app.user_balances)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'agent_level', l.grade, 'agent_level_name', l.name, 'in_review',
    not p_user.is_held and p_user.left_at is null and app.tasks_are_met(l.grade, p_balances),
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object(
        'type', t.type, 'target', t.target, 'current', c.current, 'missing', greatest(t.target - c.current, 0), 'met',
        c.current >= t.target
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
  'Returns the next active grade above a member with its tasks, counts and what is missing; null at the top. '
  'in_review: all tasks are met, but nothing has raised the member.';

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

comment on function app.top_grade is 'Returns the highest active grade.';

-- Precondition: a caller that will write the settings holds the structure lock exclusively.
create or replace function app.check_levels(p_levels jsonb)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
  v_constraint text;
begin
  if p_levels is null or jsonb_typeof(p_levels) <> 'array' or jsonb_array_length(p_levels) not between 1 and 101 then
    perform app.fail('levels_invalid', 'Levels must be a list of 1 to 101 grades.');
  end if;
  with levels as (
    select l.*, row_number() over (order by l.grade) - 1 as expected_grade,
      lag(l.direct_points) over (order by l.grade) as direct_below,
      lag(l.umbrella_points) over (order by l.grade) as umbrella_below
    from jsonb_to_recordset(p_levels) as l (grade integer, direct_points numeric, umbrella_points numeric, tasks jsonb)
  ),
  targets as (
    select l.grade, t.key as type, t.value::numeric as target,
      lag(t.value::numeric) over (partition by t.key order by l.grade) as target_below
    from levels as l cross join lateral jsonb_each_text(coalesce(l.tasks, '{}')) as t
  )
  select min(p.problem) into v_problem
  from (
    select 'Grades must start at 0, without gaps or duplicates.' as problem from levels as l
    where l.grade is distinct from l.expected_grade
    union all
    select format('The points of grade %s are below those of the grade before.', l.grade) from levels as l
    where l.direct_points < l.direct_below or l.umbrella_points < l.umbrella_below
    union all
    select format('The points of grade %s have more than four decimals.', l.grade) from levels as l
    where greatest(scale(trim_scale(l.direct_points)), scale(trim_scale(l.umbrella_points))) > app.points_decimals()
    union all
    select format('Grade %s has no tasks.', l.grade) from levels as l
    where l.grade > 0 and coalesce(l.tasks, '{}') = '{}'
    union all
    select format('The target %s of grade %s is below that of the grade before.', t.type, t.grade) from targets as t
    where t.target < t.target_below
  ) as p;
  if v_problem is not null then
    perform app.fail('levels_invalid', v_problem);
  end if;
  -- updated_at is set when the rows are written. Any value passes the check.
  perform app.check_rows('app.agent_levels', (
    select jsonb_agg(
      to_jsonb(l) || jsonb_build_object('is_active', coalesce(l.is_active, true), 'updated_at', 'epoch')
      order by l.grade
    )
    from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  ));
  perform app.check_rows('app.agent_level_tasks', (
    select coalesce(
      jsonb_agg(
        jsonb_build_object('grade', l.value -> 'grade', 'type', t.key, 'target', t.value) order by t.key, l.value
      ),
      '[]'
    )
    from jsonb_array_elements(p_levels) as l cross join lateral jsonb_each(coalesce(l.value -> 'tasks', '{}')) as t
  ));
  if exists (select from app.users as u where u.agent_level > 0 and u.agent_level >= jsonb_array_length(p_levels)) then
    perform app.fail('levels_invalid', 'A grade that members hold can be switched off but not removed.');
  end if;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail('levels_invalid', 'The levels violate this rule: ' || replace(v_constraint, '_', ' ') || '.');
  when data_exception or not_null_violation then
    perform app.fail('levels_invalid', 'A value of the levels is missing, not of the right type or too large.');
end
$$;

comment on function app.check_levels is
  'Raises levels_invalid, with the reason: a gap in the grades, points or targets that fall, a grade without tasks or '
  'removed from members, or a value that the tables reject.';
