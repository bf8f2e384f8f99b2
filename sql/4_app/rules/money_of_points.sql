-- Exact: a rounded quotient of two large numbers could be one cent too high.
-- Has no set clause, so that the planner can inline it.
create or replace function app.money_of_points(p_points numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.div(p_points * 100, p_rate) * 0.01
$$;

comment on function app.money_of_points is
  'Returns the money that points pay at p_rate points for 1.00, rounded down. Money, 2 decimals. The points taken for it are that '
  'money times the rate, which is exact: the rate has 2 decimals.';
