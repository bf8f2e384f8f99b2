-- Raises: invalid_argument.
create or replace function app.list_position(
  p_page integer, p_limit integer, p_cursor text, out skip bigint, out add_time timestamptz, out id bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  skip := app.check_page(p_page, p_limit);
  if p_cursor is null then
    add_time := 'infinity';
    id := 9223372036854775807;
    return;
  end if;
  skip := 0;
  begin
    add_time := split_part(p_cursor, '_', 1)::timestamptz;
    id := split_part(p_cursor, '_', 2)::bigint;
  exception when others then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end;
end
$$;

comment on function app.list_position is
  'Returns where a page of a long log starts. With a cursor "<time>_<id>", it starts after that row, and skip '
  'is 0. Without one, it starts at the newest row, and skip counts the rows of the earlier pages. Logs are listed newest first.';

grant execute on function app.list_position(integer, integer, text) to authenticated, store_admin;
