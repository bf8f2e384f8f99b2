-- The lock timeout is short, because a batch holds the shared structure lock and its orders while it waits.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: see run_settlement_jobs.
create or replace procedure app.drain_settlement_jobs()
language plpgsql
as $$
declare
  v_run record := app.begin_run('settle_waiting_orders', app.settlement_batch());
  v_handled integer;
begin
  commit;
  loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      v_handled := app.run_settlement_jobs(v_run.batch);
    exception when lock_not_available then
      -- Another transaction holds the structure lock.
      v_handled := 0;
    end;
    if v_handled > 0 then
      v_run.batch := app.end_batch(v_run.id);
    end if;
    commit;
    exit when v_handled = 0;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.drain_settlement_jobs is
  'Settles all orders that are due, in batches with a commit each. What is still locked by others after a second is left for '
  'the next run.';
