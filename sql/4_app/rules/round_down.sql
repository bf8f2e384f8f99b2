-- Rounds towards zero; the only rounding in the store (money 2 decimals, points 4). Source: design 2, types.
-- Pure and without a `set` clause, so that it is inlined; pg_catalog is always searched first.
create or replace function app.round_down(p_value numeric, p_decimals integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.trunc(p_value, p_decimals)
$$;

grant execute on function app.round_down(numeric, integer) to authenticated, store_admin;
