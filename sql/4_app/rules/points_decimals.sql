-- Has no set clause, so that the planner can inline it.
create or replace function app.points_decimals()
returns integer
language sql
immutable
parallel safe
as $$
  select 4
$$;

comment on function app.points_decimals is 'Returns the number of decimals of points.';

grant execute on function app.points_decimals() to authenticated, store_admin;
