-- A late release of an archived day would read the balances at the end of the archive instead of those of its day.
-- Locks: the bill and the release log, as every read of them does. No month is detached before the caller has recorded its release.
-- Raises: month_archived.
create or replace function app.reject_archived_release(p_business_day date)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  lock table only app.user_bill, only app.points_release_log in access share mode;
  if p_business_day < app.first_release_day() or app.release_until(p_business_day) < app.archived_until('user_bill') then
    perform app.fail('month_archived', format('The bill rows or releases of %s are archived.', p_business_day));
  end if;
end
$$;

comment on function app.reject_archived_release is
  'Raises month_archived if a business day cannot be released any more, because its month of the bill or of the release log is archived. '
  'Null, a run that names no day, is never rejected.';
