-- Has no search path of its own, so that the planner can inline it.
create or replace function app.utc(p_at timestamptz)
returns text
language sql
stable
as $$
  select pg_catalog.to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

comment on function app.utc is 'Returns a time in the format of the API: RFC 3339 in UTC with milliseconds. Null gives null.';

grant execute on function app.utc(timestamptz) to anon, authenticated, store_admin, service_role;
