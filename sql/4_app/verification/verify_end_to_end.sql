-- Plays the main job once, with a tree of its own, through the real functions, and undoes it: sign-up, orders, payment,
-- settlement over a whole cycle and its wrap-around, upgrade, release, refund; each result beside what the rules give.
-- Callers: verify_agent_config. Locks: only rows of its own, and the structure (shared) until the work is undone.
-- Raises: nothing; what goes wrong is a finding. Changes nothing (numbers drawn from sequences are not given back).
create or replace function app.verify_end_to_end()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_findings jsonb;
  v_error text;
begin
  begin
    v_findings := app.play_main_job(clock_timestamp());
    raise exception using errcode = 'PV000', message = 'undo', detail = v_findings::text;
  exception
    when sqlstate 'PV000' then
      get stacked diagnostics v_error = pg_exception_detail;
      v_findings := v_error::jsonb;
    when others then
      v_findings := jsonb_build_array(jsonb_build_object(
        'subject', 'main job', 'expected', 'no error', 'actual', format('%s: %s', sqlstate, sqlerrm)
      ));
  end;
  return query
    select
      'end_to_end', case when f.expected is not distinct from f.actual then 'ok' else 'error' end, f.subject,
      case when f.expected is not distinct from f.actual then coalesce(f.actual, 'yes')
        else format('expected %s, got %s', coalesce(f.expected, 'nothing'), coalesce(f.actual, 'nothing')) end,
      'Restore the functions of the last release, or look at what changed since.'
    from jsonb_to_recordset(v_findings) as f (subject text, expected text, actual text);
end
$$;
