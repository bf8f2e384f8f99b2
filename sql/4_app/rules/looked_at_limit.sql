-- Has no set clause, so that the planner can inline it.
create or replace function app.looked_at_limit()
returns integer
language sql
immutable
parallel safe
as $$
  select 10000
$$;

comment on function app.looked_at_limit is
  'Returns how many members or orders one page of a list of the team looks at, at most, before it returns a cursor.';
