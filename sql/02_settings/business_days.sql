-- The day of the store at a point in time, by its time zone.

-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function app.business_day(p_at timestamptz)
returns date
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select app.local_day(p_at, s.time_zone) from app.settings as s);
end
$$;

comment on function app.business_day is 'Returns the business day of a point in time, in the time zone of the store.';

grant execute on function app.business_day(timestamptz) to authenticated, store_admin;
