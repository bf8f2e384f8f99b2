create or replace function app.lease_duration()
returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select interval '90 seconds'
$$;

comment on function app.lease_duration is
  'Returns how long a worker may take for a row of the outbox. A row that is not recorded by then is due again. Longer than all '
  'time limits of a call together.';
