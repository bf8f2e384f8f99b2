-- Rounds once, from the whole amount, like app.amount_left. The factor gives the quotient 12 decimals or more: with 4, as Postgres gives
-- quotients of 10^12 and more, it would be rounded up before it is rounded down.
-- Has no set clause, so that the planner can inline it.
create or replace function app.points_left(p_points numeric, p_quantity integer, p_refunded_quantity integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_points * (p_quantity - p_refunded_quantity) * 1.00000000 / p_quantity, app.points_decimals())
$$;

comment on function app.points_left is
  'Returns what is left of the points that paid for p_quantity units after p_refunded_quantity of them were refunded. Points, 4 '
  'decimals.';
