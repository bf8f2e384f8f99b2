-- What a grant comes to: its basis times its rate, rounded down to the decimals of its type. Pure and inlinable.
create or replace function app.grant_amount(p_type text, p_basis numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_basis * p_rate, case p_type when 'brokerage' then 2 else 4 end)
$$;
