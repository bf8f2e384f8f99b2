-- Whether a settled order counts for the tasks of its buyer's upline (R8): something of its queue goods is left, no refund is
-- requested or complete, and its base was not below the minimum. Pure and inlinable.
create or replace function app.is_counted(p_units integer, p_refund_status smallint, p_below_minimum boolean)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_units > 0 and p_refund_status in (0, 3) and not p_below_minimum
$$;
