-- The daily release rate, 0.4 per thousand: the one constant of the contract (R11). Pure and inlinable.
create or replace function app.release_rate()
returns numeric
language sql
immutable
parallel safe
as $$
  select 0.0004
$$;

grant execute on function app.release_rate() to authenticated, store_admin;
