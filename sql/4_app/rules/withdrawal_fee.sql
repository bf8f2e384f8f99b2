-- Has no set clause, so that the planner can inline it.
create or replace function app.withdrawal_fee(p_amount numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_amount * p_rate, app.money_decimals())
$$;

comment on function app.withdrawal_fee is 'Returns the fee of a withdrawal, rounded down. Money, 2 decimals.';
