-- Sequences are not rolled back.
-- Locks: rows of its own, and structure (shared) until the rollback.
create or replace function app.verify_end_to_end()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_findings jsonb;
  v_error text;
begin
  perform app.lock_structure_shared();
  if app.is_importing() then
    return query select
      'end_to_end', 'warning', 'test run', 'not run, because no order is settled until the import has ended',
      'Continue the import with npm run import, or end it: npm run import -- --abandon';
    return;
  end if;
  begin
    v_findings := app.run_test_cycle(clock_timestamp());
    raise exception using errcode = 'PV000', message = 'undo', detail = v_findings::text;
  exception
    when sqlstate 'PV000' then
      get stacked diagnostics v_error = pg_exception_detail;
      v_findings := v_error::jsonb;
    when others then
      v_findings := jsonb_build_array(jsonb_build_object(
        'subject', 'test run', 'expected', 'no error', 'actual', format('%s: %s', sqlstate, sqlerrm)
      ));
  end;
  return query
    select
      'end_to_end', case when f.expected is not distinct from f.actual then 'ok' else 'error' end, f.subject,
      case when f.expected is not distinct from f.actual then coalesce(f.actual, 'yes')
        else format('expected %s, got %s', coalesce(f.expected, 'nothing'), coalesce(f.actual, 'nothing')) end,
      'Restore the functions of the last release, or review the changes since then.'
    from jsonb_to_recordset(v_findings) as f (subject text, expected text, actual text);
end
$$;

comment on function app.verify_end_to_end is
  'Runs test orders from sign-up to refund and release, with test members: a whole cycle and one order more. Compares each '
  'result with the rules and rolls everything back. Errors are findings. While an import is unfinished, nothing is run.';
