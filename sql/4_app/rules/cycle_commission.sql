-- Commission of one order: what was paid for its queue goods times the ratio of the place it took (R1). Money, 2 decimals.
-- Pure and inlinable.
create or replace function app.cycle_commission(p_base numeric, p_ratio numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_base * p_ratio, 2)
$$;
