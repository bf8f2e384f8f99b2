-- Has no set clause, so that the planner can inline it.
create or replace function app.sample_size()
returns integer
language sql
immutable
parallel safe
as $$
  select 200
$$;

comment on function app.sample_size is 'Returns how many settlements app.reconcile() decides again.';
