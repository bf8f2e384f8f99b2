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
  'Returns an ancestor''s points per unit (R7): the umbrella points of their level above the highest umbrella points of the members between them and the buyer. '
  'What is passed on is the umbrella amount, never the direct one.';
