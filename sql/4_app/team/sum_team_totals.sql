-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: a second run ends at once, and a run that is killed loses only its last batch,
-- whose rows are in the queue again.
create or replace procedure app.sum_team_totals()
language plpgsql
as $$
declare
  v_run record := app.begin_run('sum_team_totals', 1000);
begin
  commit;
  while app.sum_team_changes(v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.sum_team_totals is 'Adds all queued changes to the team totals, in batches with a commit each.';
