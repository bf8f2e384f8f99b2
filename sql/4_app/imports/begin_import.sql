-- Idempotent: an unfinished import is continued.
create or replace function app.begin_import(p_form text, p_now timestamptz)
returns app.imports
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_import app.imports;
begin
  insert into app.imports (form, started_at) values (p_form, p_now) on conflict do nothing;
  select i.* into v_import from app.imports as i where i.finished_at is null;
  return v_import;
end
$$;

comment on function app.begin_import is 'Opens an import and returns it, or returns the one that was stopped.';
