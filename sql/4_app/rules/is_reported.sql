-- Has no set clause, so that the planner can inline it.
create or replace function app.is_reported(p_paid_at timestamptz, p_units integer, p_refund_status smallint, p_below_minimum boolean)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_paid_at is not null and p_units > 0 and p_refund_status <> 2 and not p_below_minimum
$$;

comment on function app.is_reported is
  'Returns whether an order is a reported order (R4): paid, with queue goods of which something is left, not refunded, and not '
  'below the minimum base.';
