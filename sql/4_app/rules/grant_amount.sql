-- Has no set clause, so that the planner can inline it.
create or replace function app.grant_amount(p_type text, p_basis numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_basis * p_rate, case p_type when 'brokerage' then app.money_decimals() else app.points_decimals() end)
$$;

comment on function app.grant_amount is
  'Returns the amount of a grant: its basis times its rate, rounded down to 2 decimals for commission and 4 for points.';
