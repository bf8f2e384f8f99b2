-- Rounds once, from the whole amount, so that every sequence of partial refunds ends at the same sum.
-- Has no set clause, so that the planner can inline it.
create or replace function app.amount_left(p_paid numeric, p_quantity integer, p_refunded_quantity integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_paid * (p_quantity - p_refunded_quantity) / p_quantity, app.money_decimals())
$$;

comment on function app.amount_left is
  'Returns what is left of an amount paid for p_quantity units after p_refunded_quantity of them were refunded. Money, 2 '
  'decimals.';
