-- Raises: month_archived, unauthenticated, invalid_argument.
create or replace function api.get_statement(p_month text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.statement_json(app.require_uid(), p_month);
end
$$;

comment on function api.get_statement is
  'Returns the caller''s statement of a business month (app.statement_json). Serves GET /api/statement.';

grant execute on function api.get_statement(text) to authenticated, store_admin;
