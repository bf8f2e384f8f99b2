-- Idempotent: without an unfinished import it does nothing.
create or replace function app.finish_import(p_now timestamptz)
returns setof app.imports
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.imports as i set finished_at = p_now where i.finished_at is null returning i.*
$$;

comment on function app.finish_import is 'Marks the import as finished and returns it.';
