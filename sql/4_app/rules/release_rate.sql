-- Has no set clause, so that the planner can inline it.
create or replace function app.release_rate()
returns numeric
language sql
immutable
parallel safe
as $$
  select 0.0004
$$;

comment on function app.release_rate is 'Returns the daily release rate of R11: 0.0004, which is 0.4 per thousand.';

grant execute on function app.release_rate() to authenticated, store_admin;
