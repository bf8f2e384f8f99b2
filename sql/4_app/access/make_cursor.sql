-- Has no search path of its own, so that the planner can inline it.
create or replace function app.make_cursor(p_add_time timestamptz, p_id bigint)
returns text
language sql
stable
as $$
  select pg_catalog.to_char(p_add_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || p_id
$$;

comment on function app.make_cursor is
  'Returns the cursor of a row of a long log, exact to the microsecond, for app.list_position.';

grant execute on function app.make_cursor(timestamptz, bigint) to authenticated, store_admin;
