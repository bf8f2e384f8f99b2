-- Raises: invalid_argument.
create or replace function app.require_address(p_address jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not coalesce(app.is_address(p_address), false) then
    perform app.fail(
      'invalid_argument',
      'An address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.', '/address'
    );
  end if;
end
$$;

comment on function app.require_address is 'Raises invalid_argument unless the value is a complete address (app.is_address).';
