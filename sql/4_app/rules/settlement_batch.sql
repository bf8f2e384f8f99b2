-- Has no set clause, so that the planner can inline it.
create or replace function app.settlement_batch()
returns integer
language sql
immutable
parallel safe
as $$
  select 50
$$;

comment on function app.settlement_batch is 'Returns the number of orders that are settled in one transaction in the background.';

grant execute on function app.settlement_batch() to service_role;
