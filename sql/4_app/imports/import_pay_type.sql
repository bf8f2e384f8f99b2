-- Has no set clause, so that the planner can inline it.
create or replace function app.import_pay_type(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select coalesce(pg_catalog.substring(pg_catalog.lower(p_text), '^[a-z][a-z0-9_]{0,31}$'), 'imported')
$$;

comment on function app.import_pay_type is
  'Returns the type of payment of an imported order: the text in lower case if it is a name, otherwise imported.';
