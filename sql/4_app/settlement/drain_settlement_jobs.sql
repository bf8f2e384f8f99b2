-- Settles whatever is due, batch by batch with a commit after each, until nothing is left. It waits for a lock no longer than
-- a second, since a batch holds the shared structure lock and its orders meanwhile; what is still held is left for the next run.
-- Callers: pg_cron, every minute. Procedures that commit cannot carry a `set` clause; every name below is qualified.
-- Safe twice and side by side: as run_settlement_jobs is.
create or replace procedure app.drain_settlement_jobs()
language plpgsql
as $$
declare
  v_handled integer;
begin
  loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      v_handled := app.run_settlement_jobs();
    exception when lock_not_available then
      -- Somebody changes the structure.
      v_handled := 0;
    end;
    commit;
    exit when v_handled = 0;
  end loop;
end
$$;
