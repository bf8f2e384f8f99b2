-- Has no set clause, so that the planner can inline it.
create or replace function app.is_below_minimum(p_base numeric, p_minimum_base numeric)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_base < p_minimum_base
$$;

comment on function app.is_below_minimum is
  'Returns whether the base of an order at payment is below the minimum base of its plan: such an order pays nobody and counts for '
  'nothing.';
