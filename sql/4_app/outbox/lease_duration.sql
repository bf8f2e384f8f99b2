create or replace function app.lease_duration()
returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select interval '90 seconds'
$$;

comment on function app.lease_duration is
  'Returns how long a worker may take for a row of the outbox. If the result is not recorded by then, the row is due again. The '
  'lease is longer than all time limits of a call together.';
