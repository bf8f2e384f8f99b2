create or replace function app.release_until(p_release_date date, p_today date)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select (p_release_date + 1)::timestamp at time zone s.time_zone from app.settings as s where p_release_date < p_today
$$;

comment on function app.release_until is
  'Returns the end of a missed business day, up to which balances count for its release, or null for today, whose release uses '
  'the current balances.';
