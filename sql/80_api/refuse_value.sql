-- Refuses a value that a constraint of a table refused, in the constraint's own words.
-- Callers: administrative writes, on check_violation. Raises: invalid_argument.
create or replace function app.refuse_value(p_constraint text)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform app.fail('invalid_argument', 'A value is refused; what must hold: ' || replace(p_constraint, '_', ' ') || '.');
end
$$;
