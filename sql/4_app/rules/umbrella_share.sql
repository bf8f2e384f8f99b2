-- Has no set clause, so that the planner can inline it.
create or replace function app.umbrella_share(p_umbrella_points numeric, p_passed_on numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select greatest(p_umbrella_points - p_passed_on, 0)
$$;

comment on function app.umbrella_share is
  'Returns the points per unit of an ancestor (R7): the umbrella points of their level minus the highest umbrella points of the '
  'members between them and the buyer, at least 0. Direct points are never compared. app.decide_levels walks the chain.';
