-- Locks: nothing. The caller holds the row of the reconciliation.
-- Idempotent: sums are carried once.
create or replace function app.end_reconcile(p_run app.reconcile_runs, p_batch integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_last bigint := 9223372036854775807;
begin
  if p_run.findings = 0 and p_run.carried_until is not null then
    v_last := app.next_keys('members', p_run.next_key, p_batch);
    perform app.carry_balances(p_run.next_key, v_last, p_run.since, p_run.carried_until);
  end if;
  if v_last < 9223372036854775807 then
    update app.reconcile_runs as r set next_key = v_last + 1 where r.id = p_run.id;
    return true;
  end if;
  update app.reconcile_runs as r
  set finished_at = clock_timestamp(), carried_until = case when r.findings = 0 then r.carried_until end
  where r.id = p_run.id;
  return false;
end
$$;

comment on function app.end_reconcile is
  'Ends a reconciliation whose checks have all run. If it found nothing, the sums of the closed months that it proved are carried '
  'before, for p_batch members at a time. Returns whether more are left.';
