-- Waits for ten seconds, because the session of a run that was killed ends only after its statement.
create or replace function app.lock_import()
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
  perform pg_advisory_lock(app.lock_number('import'));
  return true;
exception when lock_not_available then
  return false;
end
$$;

comment on function app.lock_import is
  'Takes the import lock for the rest of the session and returns whether that succeeded: one import runs at a time.';
