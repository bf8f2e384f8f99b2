-- Locks: the table, until the end of the transaction (app.hold_months).
-- Raises: month_archived, serialization_failure (see app.hold_months).
create or replace function app.reject_archived_time(p_table text, p_from timestamptz)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz := app.archived_until(p_table);
begin
  perform app.hold_months(p_table, v_until);
  if p_from < v_until then
    perform app.fail('month_archived', format('Rows before %s are archived.', app.utc(v_until)));
  end if;
end
$$;

comment on function app.reject_archived_time is
  'Raises month_archived if rows of the bill, the release log or the action log from p_from on are archived, so that nobody mistakes a part for the whole.';

grant execute on function app.reject_archived_time(text, timestamptz) to authenticated, store_admin;
