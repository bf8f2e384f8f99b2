-- Every slice reads a snapshot of its own. The rows that a check compares with one another are in one slice.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: concurrent runs share the slices.
create or replace procedure app.record_reconcile()
language plpgsql
as $$
declare
  v_run record := app.begin_run('reconcile_bill', app.reconcile_batch());
  v_id bigint := app.begin_reconcile(v_run.id);
begin
  commit;
  while app.reconcile_slice(v_id, v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.record_reconcile is
  'Runs the checks of reconcile() in slices with a commit each, and stores the number of findings and the first hundred of them. '
  'A reconciliation that was cut is continued where it was. Closed months that an earlier run has proved are not read again: their sums '
  'are carried (app.carried_balances).';
