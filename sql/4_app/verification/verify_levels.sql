create or replace function app.verify_levels()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with levels as (
    select l.*, row_number() over (order by l.grade) - 1 as place,
      lag(l.direct_points) over (order by l.grade) as direct_below, lag(l.umbrella_points) over (order by l.grade) as umbrella_below
    from app.agent_levels as l
  ),
  targets as (
    select t.*, lag(t.target) over (partition by t.type order by t.grade) as target_below from app.agent_level_tasks as t
  )
  select 'grades_are_contiguous', case when bool_and(l.grade = l.place) then 'ok' else 'error' end, 'levels',
    format('%s grades, 0 to %s', count(*), max(l.grade)), 'Number the grades 0, 1, 2 and so on.'
  from levels as l
  union all
  select 'points_do_not_fall', case when count(*) = 0 then 'ok' else 'error' end, 'levels',
    coalesce('points fall at grade ' || string_agg(l.grade::text, ', '), 'points rise with the grade'),
    'Give each grade at least the points of the grade below it.'
  from levels as l where l.direct_points < l.direct_below or l.umbrella_points < l.umbrella_below
  union all
  select 'levels_have_tasks', case when count(*) = 0 then 'ok' else 'error' end, 'levels',
    coalesce('no tasks at grade ' || string_agg(l.grade::text, ', '), 'every grade above 0 has tasks'),
    'Members reach a grade without tasks only if an administrator sets it. Give it tasks or switch it off.'
  from levels as l
  where l.grade > 0 and l.is_active and not exists (select from app.agent_level_tasks as t where t.grade = l.grade)
  union all
  select 'targets_do_not_fall', case when count(*) = 0 then 'ok' else 'error' end, 'tasks',
    coalesce('targets fall: ' || string_agg(format('%s at grade %s', t.type, t.grade), ', '), 'targets rise with the grade'),
    'Give each grade at least the targets of the grade below it.'
  from targets as t where t.target < t.target_below
$$;

comment on function app.verify_levels is
  'Checks the level and task settings in force: contiguous grades, points and targets that do not fall, tasks for every active '
  'grade.';
