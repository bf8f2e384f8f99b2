-- Raises: invalid_argument.
create or replace function app.reject_value(p_constraint text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail('invalid_argument', case
    when p_constraint = '' then 'A value is missing or too large.'
    else 'A value violates this rule: ' || replace(p_constraint, '_', ' ') || '.'
  end);
end
$$;

comment on function app.reject_value is
  'Raises invalid_argument for a row that a table rejected. The detail names the violated constraint; if p_constraint is empty, '
  'it says that a value is missing or too large.';
