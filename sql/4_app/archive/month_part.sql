create or replace function app.month_part(p_table text, p_month date, p_schema text default 'app')
returns regclass
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select to_regclass(format('%I.%I', p_schema, p_table || to_char(p_month, '_YYYYMM')))
$$;

comment on function app.month_part is 'Returns the table with the rows of a month, attached (schema app) or archived (schema archive); null if there is none.';
