-- What a frozen balance still releases within a number of days, by the closed form of a daily 0.0004 (R11): the sum of a
-- geometric series. Daily rounding down makes the real sum smaller by less than 0.0001 a day. Points, 4 decimals.
-- Pure and inlinable.
create or replace function app.forecast_release(p_frozen_points numeric, p_days integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(greatest(p_frozen_points, 0) * (1 - pg_catalog.power(1 - app.release_rate(), p_days)), 4)
$$;

grant execute on function app.forecast_release(numeric, integer) to authenticated, store_admin;
