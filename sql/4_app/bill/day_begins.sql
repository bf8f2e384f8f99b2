-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function app.day_begins(p_day date)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select p_day::timestamp at time zone s.time_zone from app.settings as s);
end
$$;

comment on function app.day_begins is 'Returns when a business day begins, in the time zone of the store: the inverse of app.business_day.';
