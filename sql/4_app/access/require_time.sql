-- Raises: invalid_argument.
create or replace function app.require_time(p_now timestamptz)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_now is null or p_now < '2000-01-01T00:00:00Z' or p_now >= '3000-01-01T00:00:00Z' then
    perform app.fail('invalid_argument', 'The time must be between the years 2000 and 3000.');
  end if;
end
$$;

comment on function app.require_time is 'Raises invalid_argument unless p_now is a time between the years 2000 and 3000.';
