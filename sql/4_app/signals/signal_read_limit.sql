-- Has no set clause, so that the planner can inline it.
create or replace function app.signal_read_limit()
returns integer
language sql
immutable
parallel safe
as $$
  select 500
$$;

comment on function app.signal_read_limit is 'Returns how many places, orders or sign-ups one page of signals examines.';
