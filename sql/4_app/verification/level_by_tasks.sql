create or replace function app.level_by_tasks(p_row app.user_balances)
returns smallint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max(l.grade), 0::smallint)
  from app.agent_levels as l
  where l.is_active and not exists (
    select from app.agent_levels as step
    where step.is_active and step.grade between 1 and l.grade and not app.tasks_are_met(step.grade, p_row)
  )
$$;

comment on function app.level_by_tasks is
  'Returns the grade that a member with these task counts reaches from 0, one grade at a time, computed from the tasks alone.';
