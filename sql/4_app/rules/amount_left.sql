-- What is left of an amount paid for a number of units after some of them were refunded. Money, 2 decimals; rounded once
-- from the whole, so any sequence of partial refunds ends at the same sum. Pure and inlinable.
create or replace function app.amount_left(p_paid numeric, p_quantity integer, p_refunded_quantity integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_paid * (p_quantity - p_refunded_quantity) / p_quantity, 2)
$$;
