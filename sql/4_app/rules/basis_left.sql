-- What is left of the basis of a grant when queue goods worth p_base and p_units of them are left of the order: the base for
-- commission, that commission for its points, the units for points by level. A base of zero leaves nothing. p_rate: the rate of
-- the place. Pure and inlinable.
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
