-- Frozen points that come with a commission (R3): commission times the plan's points per 1.00. Points, 4 decimals.
-- Pure and inlinable.
create or replace function app.commission_points(p_commission numeric, p_points_per_brokerage numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_commission * p_points_per_brokerage, 4)
$$;
