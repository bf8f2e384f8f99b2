-- Has no set clause, so that the planner can inline it; pg_catalog is always searched first.
create or replace function app.round_down(p_value numeric, p_decimals integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.trunc(p_value, p_decimals)
$$;

comment on function app.round_down is 'Rounds towards zero. Money has 2 decimals, points have 4.';

grant execute on function app.round_down(numeric, integer) to authenticated, store_admin;
