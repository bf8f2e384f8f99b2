-- Has no set clause, so that the planner can inline it.
create or replace function app.money_decimals()
returns integer
language sql
immutable
parallel safe
as $$
  select 2
$$;

comment on function app.money_decimals is 'Returns the number of decimals of money.';
