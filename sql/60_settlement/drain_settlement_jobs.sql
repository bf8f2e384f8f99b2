-- Settles whatever is due, batch by batch with a commit after each, until nothing is left.
-- Callers: pg_cron, every minute. Procedures that commit cannot carry a `set` clause; every name below is qualified.
-- Safe twice and side by side: as run_settlement_jobs is.
create or replace procedure app.drain_settlement_jobs()
language plpgsql
as $$
begin
  while app.run_settlement_jobs() > 0 loop
    commit;
  end loop;
end
$$;
