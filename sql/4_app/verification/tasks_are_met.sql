create or replace function app.tasks_are_met(p_grade smallint, p_row app.user_balances)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(t.target <= (to_jsonb(p_row) ->> t.type)::integer), false)
  from app.agent_level_tasks as t
  where t.grade = p_grade
$$;

comment on function app.tasks_are_met is
  'Returns whether a member''s task counts meet all tasks of a grade. A grade without tasks is never met, because it is reached '
  'by hand only.';
