-- Has no set clause, so that the planner can inline it.
create or replace function app.is_counted(p_units integer, p_refund_status smallint, p_below_minimum boolean)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_units > 0 and p_refund_status in (0, 3) and not p_below_minimum
$$;

comment on function app.is_counted is
  'Returns whether a settled order counts for the tasks of its buyer''s upline (R8): some of its queue goods are left, no '
  'refund is requested or complete, and its base was not below the minimum.';
