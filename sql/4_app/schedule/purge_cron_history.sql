-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: what is deleted is gone.
create or replace procedure app.purge_cron_history()
language plpgsql
as $$
declare
  v_run record := app.begin_run('purge_cron_history', 1000);
begin
  commit;
  while app.purge_run_records(pg_catalog.clock_timestamp(), v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.purge_cron_history is
  'Deletes the records of runs that are older than 30 days, in batches with a commit each, and one-time jobs that have run.';
