-- Raises: invalid_argument.
create or replace function app.check_page(p_page integer, p_limit integer)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_page is null or p_page not between 1 and 1000000 then
    perform app.fail('invalid_argument', 'page starts at 1.');
  elsif p_limit is null or p_limit not between 1 and 100 then
    perform app.fail('invalid_argument', 'limit is between 1 and 100.');
  end if;
  return (p_page - 1)::bigint * p_limit;
end
$$;

comment on function app.check_page is
  'Checks the page and limit of a list and returns the number of rows to skip. Pages start at 1; limit is between 1 and 100.';

grant execute on function app.check_page(integer, integer) to anon, authenticated, store_admin;
