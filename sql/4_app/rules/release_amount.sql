-- Has no set clause, so that the planner can inline it.
create or replace function app.release_amount(p_frozen_points numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_frozen_points * app.release_rate(), app.points_decimals())
$$;

comment on function app.release_amount is
  'Returns what one day releases of a frozen balance (R11). Points, 4 decimals; 0 for balances below 0.25.';

grant execute on function app.release_amount(numeric) to authenticated, store_admin;
