-- The check constraints of closed months call it, so that the error has a code of the store. Postgres would evaluate an immutable function
-- with constant arguments in advance, so it is stable.
-- Raises: month_closed.
create or replace function app.reject_late_row(p_month text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail('month_closed', format('The month %s is closed. No bill row can be dated into it.', p_month));
  return false;
end
$$;

comment on function app.reject_late_row is 'Raises month_closed for a bill row that is dated into a closed month.';
