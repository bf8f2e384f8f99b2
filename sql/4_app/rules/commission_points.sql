-- Has no set clause, so that the planner can inline it.
create or replace function app.commission_points(p_commission numeric, p_points_per_brokerage numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_commission * p_points_per_brokerage, app.points_decimals())
$$;

comment on function app.commission_points is
  'Returns the frozen points that come with a commission (R3): the commission times the plan''s points per 1.00. Points, 4 '
  'decimals.';
