-- A statement that waits until a month is detached still reads with its earlier snapshot: it would find no rows of the month, and
-- not see that the month is archived. This function is volatile, so that its own statements see what was committed meanwhile.
-- Locks: the table, as every read of it does. No month is detached or attached before the end of the transaction.
-- Raises: serialization_failure (p_until is not current any more; the edge functions repeat the request).
create or replace function app.hold_months(p_table text, p_until timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format('lock table only app.%I in access share mode', p_table);
  if app.archived_until(p_table) <> p_until then
    raise serialization_failure using message = format('months of app.%I were archived or attached meanwhile', p_table);
  end if;
end
$$;

comment on function app.hold_months is
  'Makes sure that the caller, a function that is stable, sees each month of a table either attached or archived. p_until is '
  'app.archived_until as the caller sees it.';

grant execute on function app.hold_months(text, timestamptz) to authenticated, store_admin;
