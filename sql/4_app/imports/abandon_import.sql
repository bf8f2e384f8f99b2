-- Idempotent: without an unfinished import it does nothing.
create or replace function app.abandon_import(p_now timestamptz)
returns setof app.imports
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.imports as i set finished_at = p_now, is_abandoned = true where i.finished_at is null returning i.*
$$;

comment on function app.abandon_import is
  'Ends an import that was stopped, and returns it. What it has written stays; orders that waited for it are settled.';
