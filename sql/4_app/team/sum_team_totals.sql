-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: a second run ends at once, and a run that is killed loses only its last batch,
-- whose rows are in the queue again.
create or replace procedure app.sum_team_totals()
language plpgsql
as $$
begin
  while app.sum_team_changes() loop
    commit;
  end loop;
end
$$;

comment on procedure app.sum_team_totals is 'Adds all queued changes to the team totals, in batches with a commit each.';
