-- Has no set clause, so that the planner can inline it.
create or replace function app.level_points(p_points_per_unit numeric, p_units integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_points_per_unit * p_units, app.points_decimals())
$$;

comment on function app.level_points is
  'Returns the frozen points for units of queue goods (R6), from the points per unit. Points, 4 decimals.';
