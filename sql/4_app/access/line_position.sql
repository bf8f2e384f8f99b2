-- Raises: invalid_argument.
create or replace function app.line_position(p_cursor text, out add_time timestamptz, out id bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_cursor is null then
    add_time := '-infinity';
    id := 0;
    return;
  end if;
  begin
    add_time := split_part(p_cursor, '_', 1)::timestamptz;
    id := split_part(p_cursor, '_', 2)::bigint;
  exception when others then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end;
end
$$;

comment on function app.line_position is
  'Returns where the next chunk of a CSV file starts: after the row of the cursor (app.make_cursor), or at the oldest row. Files are '
  'written oldest first.';

grant execute on function app.line_position(text) to authenticated, store_admin;
