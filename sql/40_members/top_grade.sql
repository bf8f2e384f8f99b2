-- The highest active grade. Members who hold it cannot rise: nothing is counted for them and their rows are not locked.
create or replace function app.top_grade()
returns smallint
language sql
stable
set search_path = ''
as $$
  select max(l.grade) from app.agent_levels as l where l.is_active
$$;
