-- Raises: invalid_argument.
create or replace function app.month_start(p_month text)
returns date
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_month is null or p_month !~ '^2[0-9]{3}-(0[1-9]|1[0-2])$' then
    perform app.fail('invalid_argument', 'A month is written as 2026-10, between the years 2000 and 3000.');
  end if;
  return (p_month || '-01')::date;
end
$$;

comment on function app.month_start is 'Returns the first day of a month that is written as YYYY-MM.';

grant execute on function app.month_start(text) to authenticated, store_admin;
