-- Has no search path of its own, so that the planner can inline it.
create or replace function app.people_cursor(p_uid bigint, p_before bigint default null, p_value text default '')
returns text
language sql
immutable
as $$
  select p_uid || '_' || coalesce(p_before::pg_catalog.text, '') || '_' || pg_catalog.encode(pg_catalog.convert_to(p_value, 'UTF8'), 'hex')
$$;

comment on function app.people_cursor is
  'Returns the cursor of a list of members: the member that was looked at last, the member before which the sorted part of the '
  'list begins, and the value that the list is sorted by.';
