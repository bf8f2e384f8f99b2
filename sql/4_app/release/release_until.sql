create or replace function app.release_until(p_release_date date)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select (p_release_date + 1)::timestamp at time zone s.time_zone from app.settings as s
$$;

comment on function app.release_until is
  'Returns the end of a business day in the time zone of the store. Later grants do not count for its release.';
