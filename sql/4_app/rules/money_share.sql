-- Exact, like app.money_of_points.
-- Has no set clause, so that the planner can inline it.
create or replace function app.money_share(p_money numeric, p_part numeric, p_whole numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.div(p_money * p_part * 100, p_whole) * 0.01
$$;

comment on function app.money_share is
  'Returns the share of an amount that p_part has in p_whole, rounded down. Money, 2 decimals.';
