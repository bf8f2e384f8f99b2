-- Takes a list cursor "<time>_<id>" apart; null stays null (the first page).
-- Callers: the list functions of long logs. Raises: invalid_argument.
create or replace function app.parse_cursor(p_cursor text, out add_time timestamptz, out id bigint)
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_cursor is null then
    return;
  end if;
  add_time := split_part(p_cursor, '_', 1)::timestamptz;
  id := split_part(p_cursor, '_', 2)::bigint;
exception when others then
  perform app.fail('invalid_argument', 'cursor is not one that this list gave.');
end
$$;

grant execute on function app.parse_cursor(text) to authenticated, store_admin;
