-- Precondition: a caller that will write the settings holds the structure lock exclusively.
-- Raises: levels_invalid.
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
    select l.*, row_number() over (order by l.grade) - 1 as place,
      lag(l.direct_points) over (order by l.grade) as direct_below, lag(l.umbrella_points) over (order by l.grade) as umbrella_below
    from jsonb_to_recordset(p_levels) as l (grade integer, direct_points numeric, umbrella_points numeric, tasks jsonb)
  ),
  targets as (
    select l.grade, t.key as type, t.value::numeric as target, lag(t.value::numeric) over (partition by t.key order by l.grade) as target_below
    from levels as l cross join lateral jsonb_each_text(coalesce(l.tasks, '{}')) as t
  )
  select min(p.problem) into v_problem
  from (
    select 'Grades must start at 0, without gaps or duplicates.' as problem from levels as l where l.grade is distinct from l.place
    union all
    select format('The points of grade %s are below those of the grade before.', l.grade) from levels as l
    where l.direct_points < l.direct_below or l.umbrella_points < l.umbrella_below
    union all
    select format('The points of grade %s have more than four decimals.', l.grade) from levels as l
    where greatest(scale(trim_scale(l.direct_points)), scale(trim_scale(l.umbrella_points))) > app.points_decimals()
    union all
    select format('Grade %s has no tasks.', l.grade) from levels as l where l.grade > 0 and coalesce(l.tasks, '{}') = '{}'
    union all
    select format('The target %s of grade %s is below that of the grade before.', t.type, t.grade) from targets as t
    where t.target < t.target_below
  ) as p;
  if v_problem is not null then
    perform app.fail('levels_invalid', v_problem);
  end if;
  -- updated_at is set when the rows are written. Any value passes the check.
  perform app.check_rows('app.agent_levels', (
    select jsonb_agg(to_jsonb(l) || jsonb_build_object('is_active', coalesce(l.is_active, true), 'updated_at', 'epoch'))
    from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  ));
  perform app.check_rows('app.agent_level_tasks', (
    select coalesce(jsonb_agg(jsonb_build_object('grade', l.value -> 'grade', 'type', t.key, 'target', t.value)), '[]')
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
  'Raises levels_invalid, with the reason, if level settings are inconsistent: gaps in the grades, points or targets that fall '
  'with the grade, a grade without tasks, a value that the tables reject, or a missing grade that members hold.';
