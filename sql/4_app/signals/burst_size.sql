-- Has no set clause, so that the planner can inline it.
create or replace function app.burst_size()
returns integer
language sql
immutable
parallel safe
as $$
  select 20
$$;

comment on function app.burst_size is 'Returns how many sign-ups under one referrer in less than an hour are a burst.';
