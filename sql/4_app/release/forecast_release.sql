-- Rounding down every day makes the real sum smaller, by less than 0.0001 a day.
-- Has no set clause, so that the planner can inline it.
create or replace function app.forecast_release(p_frozen_points numeric, p_days integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(greatest(p_frozen_points, 0) * (1 - pg_catalog.power(1 - app.release_rate(), p_days)), app.points_decimals())
$$;

comment on function app.forecast_release is
  'Returns the points that a frozen balance will release within p_days days: the sum of a geometric series with the daily rate '
  'of R11, rounded down to 4 decimals.';

grant execute on function app.forecast_release(numeric, integer) to authenticated, store_admin;
