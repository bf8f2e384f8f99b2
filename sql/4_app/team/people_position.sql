-- The cursor holds the value and not only the member: a value that was looked up again could be that of a member of another team.
-- Raises: invalid_argument.
create or replace function app.people_position(p_cursor text, out uid bigint, out before bigint, out value text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_cursor is not null then
    uid := split_part(p_cursor, '_', 1)::bigint;
    before := nullif(split_part(p_cursor, '_', 2), '')::bigint;
    value := convert_from(decode(split_part(p_cursor, '_', 3), 'hex'), 'UTF8');
  end if;
exception when data_exception then
  perform app.fail('invalid_argument', 'cursor was not returned by this list.');
end
$$;

comment on function app.people_position is 'Returns the parts of a cursor of app.people_cursor; nulls without one.';
