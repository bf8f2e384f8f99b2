-- A time in the form of the wire: RFC 3339, UTC, whole seconds and milliseconds, "Z". Null stays null.
-- Inlined into whatever calls it.
create or replace function app.utc(p_at timestamptz)
returns text
language sql
stable
as $$
  select pg_catalog.to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

grant execute on function app.utc(timestamptz) to anon, authenticated, store_admin, service_role;
