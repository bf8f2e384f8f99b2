-- Refuses a value that a table refused: in the constraint's own words where one did, else as missing or out of range.
-- Callers: administrative writes, after a failure. Raises: invalid_argument.
create or replace function app.refuse_value(p_constraint text)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail('invalid_argument', case
    when p_constraint = '' then 'A value is missing or too large.'
    else 'A value is refused; what must hold: ' || replace(p_constraint, '_', ' ') || '.'
  end);
end
$$;
