-- What one day releases of a frozen balance (R11). Points, 4 decimals; 0 below 0.25. Pure and inlinable.
create or replace function app.release_amount(p_frozen_points numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_frozen_points * app.release_rate(), 4)
$$;

grant execute on function app.release_amount(numeric) to authenticated, store_admin;
