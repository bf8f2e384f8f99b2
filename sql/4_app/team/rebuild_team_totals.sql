-- Sign-ups and payments go on meanwhile; their changes wait in the queue. Readers see the old totals until the commit.
-- Locks: the advisory lock team_totals.
-- Idempotent: the result depends on members and orders only.
create or replace function app.rebuild_team_totals()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(app.lock_number('team_totals'));
  delete from app.team_totals where true;
  perform app.apply_team_changes(array(select u.uid from app.users as u));
end
$$;

comment on function app.rebuild_team_totals is
  'Sums the team totals of all members anew. For use after a finding of app.reconcile_team_totals, or after a migration that '
  'changes what is counted.';
