-- An ancestor's points per unit: their umbrella points above what the members below them already took (R7).
-- What is passed on is the umbrella amount, never the direct one. Pure and inlinable.
create or replace function app.umbrella_share(p_umbrella_points numeric, p_passed_on numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select greatest(p_umbrella_points - p_passed_on, 0)
$$;
