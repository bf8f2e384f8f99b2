-- Frozen points for units of queue goods (R6): direct points to the referrer, or an ancestor's share of the umbrella.
-- Pure and inlinable.
create or replace function app.level_points(p_points_per_unit numeric, p_units integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_points_per_unit * p_units, 4)
$$;
