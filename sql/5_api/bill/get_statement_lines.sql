-- Raises: month_archived, unauthenticated, invalid_argument.
create or replace function api.get_statement_lines(p_month text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.statement_lines(app.require_uid(), p_month, p_cursor);
end
$$;

comment on function api.get_statement_lines is
  'Returns the next chunk of the caller''s bill of a business month as lines of a CSV file. Serves GET /api/statement/csv.';

grant execute on function api.get_statement_lines(text, text) to authenticated, store_admin;
