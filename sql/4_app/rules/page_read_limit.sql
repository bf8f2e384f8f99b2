-- Has no set clause, so that the planner can inline it.
create or replace function app.page_read_limit()
returns integer
language sql
immutable
parallel safe
as $$
  select 10000
$$;

comment on function app.page_read_limit is
  'Returns how many members or orders one page of a team list or of the level review may read before it returns a cursor.';
