-- Has no set clause, so that the planner can inline it.
create or replace function app.basis_left(p_type text, p_source text, p_base numeric, p_units integer, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select case
    when p_base = 0 then 0
    when p_type = 'brokerage' then p_base
    when p_source = 'cycle' then app.cycle_commission(p_base, p_rate)
    else p_units
  end
$$;

comment on function app.basis_left is
  'Returns the basis that is left of a grant when p_base and p_units are left of an order: the base for commission, the '
  'commission at p_rate for commission points, the units for points by level. A base of zero leaves nothing.';
