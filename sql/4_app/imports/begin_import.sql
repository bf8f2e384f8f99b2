-- Locks: structure (exclusive), so that no settlement is under way when the import begins.
-- Raises: object_not_in_prerequisite_state (an import of other files was stopped).
-- Idempotent: an unfinished import of the same files is continued.
create or replace function app.begin_import(p_form text, p_source_hash text, p_now timestamptz)
returns app.imports
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_import app.imports;
begin
  perform app.lock_structure();
  insert into app.imports (form, source_hash, started_at) values (p_form, p_source_hash, p_now) on conflict do nothing;
  select i.* into v_import from app.imports as i where i.finished_at is null;
  if v_import.source_hash <> p_source_hash then
    raise object_not_in_prerequisite_state using
      message = format('the import that began at %s is unfinished, and its files were others', app.utc(v_import.started_at));
  end if;
  return v_import;
end
$$;

comment on function app.begin_import is
  'Opens an import and returns it, or returns the one of the same files that was stopped. From now on, settlements wait until it has ended.';
