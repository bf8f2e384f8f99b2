-- Has no set clause, so that the planner can inline it.
create or replace function app.cycle_commission(p_base numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_base * p_rate, app.money_decimals())
$$;

comment on function app.cycle_commission is
  'Returns the commission of one order (R1): the base times the rate, which is the ratio of the place, or a lower payout cap. Money, 2 decimals.';
