-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: what is deleted is gone.
create or replace procedure app.forget_idempotency_keys()
language plpgsql
as $$
declare
  v_run record := app.begin_run('forget_idempotency_keys', 1000);
begin
  commit;
  while app.forget_old_keys(pg_catalog.clock_timestamp(), v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.forget_idempotency_keys is
  'Deletes the stored responses of requests whose idempotency key is older than 24 hours, in batches with a commit each.';
